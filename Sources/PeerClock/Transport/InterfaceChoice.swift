internal import Sockets

/// Which of this host's interfaces a clock uses.
enum InterfaceChoice {
  /// What the clock was told.
  struct Wish {
    /// The interfaces' names; none: all that are up.
    let names: [String]
    /// Loopback alone, whatever else there is.
    let loopbackOnly: Bool
  }

  /// Whether nothing but loopback is wished for. It depends on the wish alone: a host that starts
  /// before its network is up must be reachable once it is.
  static func isLoopbackOnly(_ wish: Wish, of all: [NetworkInterface]) -> Bool {
    if wish.loopbackOnly { return true }
    return !wish.names.isEmpty
      && wish.names.allSatisfy { name in
        all.contains { $0.name == name && $0.isLoopback }
      }
  }

  /// Where to join the group: an address of each interface and family that is wished for, IPv4's
  /// any, IPv6's that of the link, in a stable order. Not all of them need carry multicast: peers
  /// that were named are found without.
  static func choose(
    _ wish: Wish, of all: [NetworkInterface]
  ) throws(PeerClockError) -> [NetworkInterface] {
    for name in wish.names where !all.contains(where: { $0.name == name }) {
      throw .noSuchInterface(name: name, available: Set(all.map(\.name)).sorted())
    }
    let chosen = all.filter { interface in
      guard interface.isUp, interface.address.count == 4 || interface.isLinkLocal6 else {
        return false
      }
      if wish.loopbackOnly { return interface.isLoopback }
      return wish.names.isEmpty
        ? !isContainers(interface, of: all) : wish.names.contains(interface.name)
    }
    return firstOfEach(chosen.sorted { $0.rank < $1.rank })
  }

  /// Whether an interface leads to this machine's own containers and virtual machines, so that
  /// nobody else is there: a bridge without hardware, a port of a bridge, and where the machine has
  /// hardware also one end of a virtual cable. A container has nothing but such a cable, and uses it.
  private static func isContainers(
    _ interface: NetworkInterface, of all: [NetworkInterface]
  ) -> Bool {
    let link = interface.link
    if link.isPort || link.isBridge && !link.hasHardwarePort { return true }
    return link.isVirtualCable && all.contains { $0.link.isHardware }
  }

  /// A group is joined once on each interface, by the first of its addresses.
  private static func firstOfEach(_ interfaces: [NetworkInterface]) -> [NetworkInterface] {
    var seen: Set<ChannelID> = []
    return interfaces.filter { seen.insert(ChannelID($0)).inserted }
  }
}

/// Which channel of multicast: an interface, and a family of addresses.
struct ChannelID: Hashable, Comparable {
  let interface: UInt32
  /// 4 or 6.
  let family: Int32

  init(_ interface: NetworkInterface) {
    self.interface = interface.index
    family = interface.address.count == 4 ? 4 : 6
  }

  static func < (one: ChannelID, other: ChannelID) -> Bool {
    (one.interface, one.family) < (other.interface, other.family)
  }
}

extension NetworkInterface {
  /// By interface and family, and then by numeric address.
  fileprivate var rank: (UInt32, Int, String) {
    (index, address.count, SocketAddress(bytes: address, port: 0).host)
  }
}
