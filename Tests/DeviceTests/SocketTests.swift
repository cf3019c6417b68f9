import Glibc
import HostClock
import Sockets
import TestLanes
import Testing
import Units

@Suite("Datagram sockets", .live)
struct UDPSocketTests {
  let loopback: [UInt8] = [127, 0, 0, 1]

  /// Polls until `attempt` gives something, for a second at most.
  func eventually<Value>(_ attempt: () -> Value?) throws -> Value {
    for _ in 0..<1000 {
      if let value = attempt() { return value }
      usleep(1000)
    }
    let last = attempt()
    return try #require(last)
  }

  @Test("kernel stamps lie between the readings around the call, in order")
  func stamps() throws {
    let clock = HostClock()
    var trail = SandwichTrail()
    let one = try UDPSocket(family: 4, address: loopback, port: 0)
    let other = try UDPSocket(family: 4, address: loopback, port: 0)
    #expect(one.enableStamps(sending: .kernel))
    #expect(other.enableStamps(sending: .userSpace))

    // The kernel turns its stamps on a moment after the first socket of the machine asks for them.
    for attempt in 0..<200 {
      let payload = [UInt8](repeating: UInt8(attempt), count: 200)
      trail.keep(clock.sandwich())
      let before = clock.now()
      try one.send(payload, to: SocketAddress(bytes: loopback, port: other.port))
      let packet = try eventually { other.receive(converting: &trail) }
      let after = clock.now()
      #expect(packet.bytes == payload)
      #expect(packet.sender.port == one.port)
      guard packet.stampKind == .kernel else {
        usleep(5_000)
        continue
      }
      let sent: SendStamp = try eventually {
        while let stamp = one.receiveSendStamp(converting: &trail) {
          if stamp.kind == .kernel && stamp.frame.suffix(payload.count) == payload[...] {
            return stamp
          }
        }
        return nil
      }
      // Conversions err by half a sandwich each; a microsecond is ample.
      let slack = Duration.microseconds(1)
      #expect(before - slack <= sent.stamp)
      #expect(sent.stamp - slack <= packet.stamp)
      #expect(packet.stamp - slack <= after)
      return
    }
    Issue.record("the kernel stamped none of 200 datagrams in a second")
  }

  @Test("what is sent is marked for expedited forwarding")
  func expedited() throws {
    let socket = try UDPSocket(family: 4, address: loopback, port: 0)
    var service: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let status = unsafe getsockopt(socket.descriptor, Int32(IPPROTO_IP), IP_TOS, &service, &length)
    #expect(status == 0)
    // DSCP 46 in the upper six bits.
    #expect(service == 46 << 2)
  }

  @Test("multicast on loopback reaches every socket that joined there")
  func multicast() throws {
    let interface = try #require(
      try NetworkInterface.all().first { $0.isLoopback && $0.address.count == 4 })
    let group: [UInt8] = [239, 255, 77, 12]
    let first = try UDPSocket(family: 4, port: 0, shared: true)
    let second = try UDPSocket(family: 4, port: first.port, shared: true)
    for socket in [first, second] { try socket.join(group: group, on: interface) }
    let sender = try UDPSocket(family: 4, port: 0)
    var trail = SandwichTrail()
    try sender.sendMulticast(outOf: interface)

    try sender.send([1, 2, 3], to: SocketAddress(bytes: group, port: first.port))
    for socket in [first, second] {
      let packet = try eventually { socket.receive(converting: &trail) }
      #expect(packet.bytes == [1, 2, 3])
      #expect(packet.sender.port == sender.port)
    }
  }

  @Test("a port in use is refused in words")
  func portInUse() throws {
    let one = try UDPSocket(family: 4, address: loopback, port: 0)
    do {
      _ = try UDPSocket(family: 4, address: loopback, port: one.port)
      Issue.record("a second socket on the same port was opened")
    } catch {
      #expect(error.reason == .addressInUse)
      #expect(
        error.description == "UDP port \(one.port) is in use by another program (bind)")
    }
  }

  @Test("a datagram beyond the longest is passed over, one at the limit is read")
  func length() throws {
    let one = try UDPSocket(family: 4, address: loopback, port: 0)
    let other = try UDPSocket(family: 4, address: loopback, port: 0)
    let address = SocketAddress(bytes: loopback, port: other.port)
    var trail = SandwichTrail()
    try one.send(Array(repeating: 1, count: UDPSocket.longestDatagram + 1), to: address)
    try one.send(Array(repeating: 2, count: UDPSocket.longestDatagram), to: address)
    let packet = try eventually { other.receive(converting: &trail) }
    #expect(packet.bytes == Array(repeating: 2, count: UDPSocket.longestDatagram))
    let rest = other.receive(converting: &trail)
    #expect(rest?.bytes == nil)
  }
}

@Suite("Streams", .live)
struct TCPTests {
  @Test("bytes written at one end are read at the other, then the end")
  func roundTrip() throws {
    let loopback: [UInt8] = [127, 0, 0, 1]
    let listener = try TCPListener(family: 4, address: loopback, port: 0)
    var dialled: TCPStream? = try TCPStream(
      connectingTo: SocketAddress(bytes: loopback, port: listener.port))
    var accepted: TCPStream?
    for _ in 0..<1000 where accepted == nil {
      accepted = listener.accept()
      usleep(1000)
    }
    let server = try #require(accepted)
    #expect(dialled?.connectionError() == nil)
    let bytes: [UInt8] = [9, 8, 7]
    #expect(try dialled?.write(bytes[...]) == 3)
    var inputs: [TCPStream.Input] = []
    dialled = nil
    for _ in 0..<1000 where inputs.last != .end {
      let input = try server.read()
      if input != .nothingYet { inputs.append(input) } else { usleep(1000) }
    }
    #expect(inputs == [.bytes([9, 8, 7]), .end])
  }
}

@Suite("Addresses", .live)
struct SocketAddressTests {
  @Test("numeric addresses of both families are read and written")
  func text() {
    #expect(SocketAddress(numeric: "10.1.2.3", port: 80)?.bytes == [10, 1, 2, 3])
    #expect(SocketAddress(numeric: "10.1.2.3", port: 80)?.description == "10.1.2.3:80")
    #expect(SocketAddress(numeric: "fe80::1", port: 9)?.description == "[fe80::1]:9")
    #expect(SocketAddress(numeric: "host.local", port: 9) == nil)
    #expect(SocketAddress(numeric: "127.0.0.9", port: 1)?.isLoopback == true)
    #expect(SocketAddress(numeric: "::1", port: 1)?.isLoopback == true)
    #expect(SocketAddress(numeric: "::2", port: 1)?.isLoopback == false)
  }
}
