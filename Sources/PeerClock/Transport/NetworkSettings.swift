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

  /// Where the group is, in each family of addresses.
  struct Groups {
    let four: SocketAddress
    /// Of the link, so that it needs no router's leave: a transient group (RFC 4291) with a number
    /// of the dynamic range (RFC 3307).
    static let six = "ff12::8072:6563"

    /// The group on a channel.
    func on(_ channel: ChannelID) -> SocketAddress {
      guard channel.family == 6,
        let six = SocketAddress(
          numeric: Self.six, port: four.port, interface: channel.interface)
      else { return four }
      return six
    }
  }

  /// The groups' addresses; that of IPv4 must be a multicast address.
  func groups() throws(PeerClockError) -> Groups {
    guard let address = SocketAddress(numeric: group, port: groupPort),
      address.bytes.count == 4, (224...239).contains(address.bytes[0])
    else { throw .configuration(reason: "\"\(group)\" is not an IPv4 multicast address") }
    return Groups(four: address)
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
