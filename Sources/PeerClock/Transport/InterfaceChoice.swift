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

  /// The IPv4 addresses of the interfaces wished for, by name and address.
  static func choose(
    _ wish: Wish, of all: [NetworkInterface]
  ) throws(PeerClockError) -> [NetworkInterface] {
    for name in wish.names where !all.contains(where: { $0.name == name }) {
      throw .noSuchInterface(name: name, available: Set(all.map(\.name)).sorted())
    }
    let usable = all.filter { interface in
      interface.isUp && interface.address.count == 4
        && (interface.isLoopback || interface.supportsMulticast)
    }
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
