internal import PeerCore
internal import Sockets

extension SocketAddress {
  /// The socket address of a path.
  init(_ path: PathAddress) {
    self.init(bytes: path.address, port: path.port, interface: path.interface)
  }
}

extension PathAddress {
  /// The path to a socket address. IPv4 goes where the routing says, whichever way a packet came;
  /// an IPv6 link-local address means something on its interface only.
  init(_ address: SocketAddress) {
    self.init(
      interface: address.bytes.count == 4 ? 0 : address.interface, address: address.bytes,
      port: address.port)
  }
}

extension StampKind {
  /// The wire's word for a socket's kind of stamp.
  init(_ kind: PacketStampKind) {
    self =
      switch kind {
      case .kernel: .kernel
      case .scheduled: .scheduled
      case .userSpace: .userSpace
      }
  }
}

extension ReceivedDatagram {
  /// A datagram out of a socket.
  init(_ packet: Packet, wasMulticast: Bool) {
    self.init(
      bytes: packet.bytes, path: PathAddress(packet.sender), stamp: packet.stamp,
      stampKind: StampKind(packet.stampKind), wasMulticast: wasMulticast)
  }
}
