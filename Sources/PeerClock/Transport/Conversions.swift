internal import PeerCore
internal import Sockets

extension SocketAddress {
  /// The socket address of a path.
  init(_ path: PathAddress) {
    self.init(bytes: path.address, port: path.port, interface: path.interface)
  }
}

extension PathAddress {
  /// The path to a socket address, by the interface that a packet came in on: a host may be reached
  /// by several.
  init(_ address: SocketAddress) {
    self.init(interface: address.interface, address: address.bytes, port: address.port)
  }
}

extension PathAddress {
  /// The path to a place that somebody told of.
  init(_ seed: PeerClockConfiguration.Seed) throws(PeerClockError) {
    guard let address = SocketAddress(numeric: seed.host, port: seed.port) else {
      throw .configuration(
        reason: "\"\(seed.host)\" is not a numeric address such as 192.168.1.20 or fe80::1%eth0; "
          + "an interface behind the % must be one of this host's")
    }
    self.init(address)
    guard !isLinkLocal6 || interface > 0 else {
      throw .configuration(
        reason: "\"\(seed.host)\" means something on its own link only: name the interface that "
          + "leads there, as in \(seed.host)%eth0")
    }
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
