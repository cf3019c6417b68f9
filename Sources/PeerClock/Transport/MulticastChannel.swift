internal import EventLoop
internal import Sockets

/// The multicast group on one interface: a socket that hears that interface alone, and sends there.
struct MulticastChannel {
  let socket: UDPSocket
  let token: EventLoop.Token
  /// The group there.
  let group: SocketAddress
  /// The interface's address when it was joined.
  let address: [UInt8]

  init(
    interface: NetworkInterface, groups: NetworkSettings.Groups, loop: EventLoop,
    wake: @escaping @Sendable (NetworkCore.Wake) -> Void
  ) throws(SocketError) {
    let id = ChannelID(interface)
    let group = groups.on(id)
    self.group = group
    // Bound to the group's own address: the port's unicast datagrams are somebody else's.
    socket = try UDPSocket(
      family: id.family, address: group.bytes, port: group.port, shared: true,
      interface: group.interface)
    try socket.join(group: group.bytes, on: interface)
    try socket.sendMulticast(outOf: interface)
    _ = socket.enableStamps(sending: .userSpace)
    address = interface.address
    do throws(EventLoop.Failure) {
      token = try loop.watch(socket.descriptor) { _ in wake(.multicast(id)) }
    } catch {
      throw SocketError(code: error.code, function: error.function, subject: interface.name)
    }
  }
}
