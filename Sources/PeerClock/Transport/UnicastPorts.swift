internal import Sockets

/// The ports of a transport: one for datagrams and one for connections, each the same in both
/// families of addresses where the host has both.
struct UnicastPorts {
  /// By family, 4 before 6.
  let datagrams: [UDPSocket]
  let listeners: [TCPListener]

  /// How often another port is tried where the other family has it in use.
  private static let mostTries = 16

  /// Opens `port`; 0: `usual` if it is free, else any. On loopback alone, IPv4's suffices.
  init(port: UInt16, usual: UInt16, isLocal: Bool) throws(SocketError) {
    datagrams = try Self.open(port: port, usual: isLocal ? 0 : usual, isLocal: isLocal) {
      family, address, port throws(SocketError) in
      let socket = try UDPSocket(family: family, address: address, port: port)
      return (socket, socket.port)
    }
    listeners = try Self.open(port: port, usual: isLocal ? 0 : usual, isLocal: isLocal) {
      family, address, port throws(SocketError) in
      let listener = try TCPListener(family: family, address: address, port: port)
      return (listener, listener.port)
    }
  }

  var ports: TransportPorts {
    TransportPorts(unicast: datagrams[0].port, reliable: listeners[0].port)
  }

  func socket(for address: SocketAddress) -> UDPSocket? {
    datagrams.first { $0.family == address.family }
  }

  private static func open<Port>(
    port: UInt16, usual: UInt16, isLocal: Bool,
    _ make: (Int32, [UInt8], UInt16) throws(SocketError) -> (Port, UInt16)
  ) throws(SocketError) -> [Port] {
    if isLocal { return [try make(4, [127, 0, 0, 1], port).0] }
    if port > 0 { return try both(port, make) }
    do { return try both(usual, make) } catch {
      guard error.reason == .addressInUse else { throw error }
    }
    for _ in 1..<mostTries {
      do { return try both(0, make) } catch {
        guard error.reason == .addressInUse else { throw error }
      }
    }
    return try both(0, make)
  }

  private static func both<Port>(
    _ port: UInt16, _ make: (Int32, [UInt8], UInt16) throws(SocketError) -> (Port, UInt16)
  ) throws(SocketError) -> [Port] {
    let (first, number) = try make(4, [], port)
    do { return [first, try make(6, [], number).0] } catch {
      // Many a host has no IPv6 at all.
      if error.reason == .addressInUse { throw error }
      return [first]
    }
  }
}
