internal import EventLoop
internal import Sockets

/// The multicast group on one interface: a socket that hears that interface alone, and sends there.
struct MulticastChannel {
  let socket: UDPSocket
  let token: EventLoop.Token
  /// The interface's address when it was joined.
  let address: [UInt8]

  init(
    interface: NetworkInterface, group: SocketAddress, loop: EventLoop,
    wake: @escaping @Sendable (NetworkCore.Wake) -> Void
  ) throws(SocketError) {
    // Bound to the group's own address: the port's unicast datagrams are somebody else's.
    socket = try UDPSocket(family: 4, address: group.bytes, port: group.port, shared: true)
    try socket.join(group: group.bytes, on: interface)
    try socket.sendMulticast(outOf: interface)
    _ = socket.enableStamps(sending: .userSpace)
    address = interface.address
    let index = interface.index
    do throws(EventLoop.Failure) {
      token = try loop.watch(socket.descriptor) { _ in wake(.multicast(interface: index)) }
    } catch {
      throw SocketError(code: error.code, function: error.function, subject: interface.name)
    }
  }
}
