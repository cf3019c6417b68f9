internal import EventLoop
internal import HostClock
internal import PeerCore
internal import Sockets
internal import Units

extension NetworkCore {
  func send(_ bytes: [UInt8], to address: PathAddress, token: SendToken?) {
    guard let open else { return }
    if let held, held.count < Self.mostHeld {
      self.held = held + [Held(bytes: bytes, address: address, token: token)]
      return
    }
    let place = SocketAddress(address)
    guard let socket = open.unicast.socket(for: place) else { return }
    if let token { ledger.expect(token, bytes: bytes, at: clock.now()) }
    // A datagram may be lost at any time: an error here is one more way. The state machines
    // repeat what matters.
    do { try send(bytes, to: place, by: socket) } catch {
      if let token { ledger.cancel(token) }
    }
  }

  /// By the interface that the path names; where the routing knows no way there by that one, as
  /// with some addresses of this very host, by whichever it says.
  private func send(
    _ bytes: [UInt8], to place: SocketAddress, by socket: UDPSocket
  ) throws(SocketError) {
    do { try socket.send(bytes, to: place) } catch {
      guard place.family == 4, place.interface != 0, error.reason != .notPermitted else {
        throw error
      }
      try socket.send(bytes, to: SocketAddress(bytes: place.bytes, port: place.port))
    }
  }

  func multicast(_ bytes: [UInt8], channel number: Int) {
    let ids = channels.keys.sorted()
    guard open != nil, ids.indices.contains(number), let channel = channels[ids[number]] else {
      return
    }
    // An interface that is down loses it: the next one may carry it.
    do { try channel.socket.send(bytes, to: channel.group) } catch { return }
  }

  /// Takes what has arrived, a few datagrams at a time, and sends what they call for only when
  /// all of those are dealt with: answers that leave one right after the other take the same way
  /// through warm caches.
  func receive(from socket: UDPSocket, allowed: Set<UInt32>, isMulticast: Bool = false) {
    var isDrained = false
    for _ in 0..<Self.mostPerTurn / Self.mostGathered where !isDrained {
      takeStamps()
      var datagrams: [ReceivedDatagram] = []
      for _ in 0..<Self.mostGathered {
        guard let packet = socket.receive(converting: &trail) else {
          isDrained = true
          break
        }
        guard allowed.isEmpty || allowed.contains(packet.sender.interface) else { continue }
        datagrams.append(ReceivedDatagram(packet, wasMulticast: isMulticast))
      }
      hand(datagrams)
    }
  }

  private func hand(_ datagrams: [ReceivedDatagram]) {
    guard !datagrams.isEmpty else { return }
    held = []
    for datagram in datagrams { open?.events(.datagram(datagram)) }
    let answers = held ?? []
    held = nil
    for answer in answers { send(answer.bytes, to: answer.address, token: answer.token) }
  }

  func takeStamps() {
    for socket in open?.unicast.datagrams ?? [] {
      for _ in 0..<Self.mostPerTurn {
        guard let stamp = socket.receiveSendStamp(converting: &trail) else { break }
        if let found = ledger.take(
          frame: stamp.frame, stamp: stamp.stamp, kind: StampKind(stamp.kind))
        {
          report(found)
        }
      }
    }
    for found in ledger.expire(at: clock.now()) { report(found) }
  }

  private func report(_ found: StampLedger.Found) {
    open?.events(.sent(found.token, stamp: found.stamp, kind: found.kind))
  }
}
