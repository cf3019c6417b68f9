internal import Sockets

/// What the network's transport is told, out of a clock's configuration.
struct NetworkSettings {
  let wish: InterfaceChoice.Wish
  let port: UInt16
  let group: String
  let groupPort: UInt16
  /// Whether the kernel is asked to stamp what comes, and up to which kind what leaves.
  let hasArrivalStamps: Bool
  let sendStamps: PacketStampKind

  init(_ configuration: PeerClockConfiguration) {
    // Without a group's passphrase nothing leaves the machine.
    wish = InterfaceChoice.Wish(
      names: configuration.interfaces, loopbackOnly: configuration.group == nil)
    port = configuration.port
    group = configuration.multicastGroup
    groupPort = configuration.multicastPort
    hasArrivalStamps = configuration.stamps != .userSpace
    sendStamps =
      switch configuration.stamps {
      case .kernel: .kernel
      case .scheduled: .scheduled
      case .arrivals, .userSpace: .userSpace
      }
  }

  /// The group's address; it must be an IPv4 multicast address.
  func groupAddress() throws(PeerClockError) -> SocketAddress {
    guard let address = SocketAddress(numeric: group, port: groupPort),
      address.bytes.count == 4, (224...239).contains(address.bytes[0])
    else { throw .configuration(reason: "\"\(group)\" is not an IPv4 multicast address") }
    return address
  }
}

extension PeerClockError {
  /// What the network refused, in this module's words.
  init(_ error: SocketError) {
    self =
      error.reason == .addressInUse
      ? .portInUse(subject: error.subject) : .network(reason: error.description)
  }
}
