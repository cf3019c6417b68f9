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

  /// The IPv4 addresses of the interfaces wished for, by name and address. Not all of them need
  /// carry multicast: peers that were named are found without.
  static func choose(
    _ wish: Wish, of all: [NetworkInterface]
  ) throws(PeerClockError) -> [NetworkInterface] {
    for name in wish.names where !all.contains(where: { $0.name == name }) {
      throw .noSuchInterface(name: name, available: Set(all.map(\.name)).sorted())
    }
    let usable = all.filter { $0.isUp && $0.address.count == 4 }
    let chosen = usable.filter { interface in
      if wish.loopbackOnly { return interface.isLoopback }
      return wish.names.isEmpty || wish.names.contains(interface.name)
    }
    return firstOfEach(chosen.sorted { ($0.index, $0.host) < ($1.index, $1.host) })
  }

  /// An interface is joined once, by the first of its addresses.
  private static func firstOfEach(_ interfaces: [NetworkInterface]) -> [NetworkInterface] {
    var seen: Set<UInt32> = []
    return interfaces.filter { seen.insert($0.index).inserted }
  }
}

extension NetworkInterface {
  /// The numeric address, for a stable order.
  fileprivate var host: String { SocketAddress(bytes: address, port: 0).host }
}
