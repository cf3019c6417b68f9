public import PeerCore
public import Units

/// Hosts on one network, and the truth about how well they agree.
public final class Fleet {
  /// The cipher under which nothing is sealed: quick.
  public static let clearCipher = Cipher.clear(tag: 0x7361_6d65_6c6f_7421)

  public let world: World
  public let hosts: [SimulatedHost]
  /// What was seen of the hosts' agreement, a sample each ``sampleInterval``.
  public private(set) var samples: [SyncSample] = []
  let network: Network

  /// The time between two looks at all clocks.
  public static let sampleInterval = Duration.milliseconds(100)

  /// Makes `count` hosts; by default their clocks are hours and up to 60 ppm apart, and wander.
  ///
  /// - Parameters:
  ///   - starts: when each host starts; those without a time start at once.
  ///   - ids: the hosts' ids; by default they grow with the host's number.
  ///   - lines: how many networks lie side by side, each host being on all of them.
  ///   - keepsRecord: whether events and samples are kept, which takes memory in a long run.
  public init(
    in world: World, hosts count: Int, network conditions: NetworkConditions,
    starts: [Duration] = [], ids: [PeerID] = [], cipher: Cipher = clearCipher,
    policy: PeerNodePolicy = PeerNodePolicy(), seeds: [Int] = [],
    crystals: CrystalSpread = CrystalSpread(), lines: Int = 1, keepsRecord: Bool = true
  ) {
    let network = Network(
      world: world, conditions: conditions, lines: lines, keepsRecord: keepsRecord)
    self.world = world
    self.network = network
    hosts = (0..<count).map { number in
      let host = SimulatedHost(
        number: number,
        peer: number < ids.count
          ? ids[number] : PeerID(high: UInt64(number + 1) << 48, low: world.bits()),
        clocks: crystals.clocks(in: world), network: network, cipher: cipher, policy: policy,
        seeds: seeds.map { Network.path(of: $0) })
      network.add(host)
      return host
    }
    for host in hosts {
      let start = host.number < starts.count ? starts[host.number] : .zero
      world.schedule(at: start) { host.start() }
    }
    guard keepsRecord else { return }
    world.every(Self.sampleInterval) { [unowned self] in samples.append(look()) }
  }

  /// How packets fare from now on.
  public var conditions: NetworkConditions {
    get { network.conditions }
    set { network.conditions = newValue }
  }

  /// Cuts the network between two hosts.
  public func cut(_ one: Int, _ other: Int) { network.cut(one, other) }

  /// Cuts the network between all of `side` and all others.
  public func split(_ side: Set<Int>) {
    for one in side {
      for host in hosts where !side.contains(host.number) { network.cut(one, host.number) }
    }
  }

  /// Has a host's line delay what it sends, and what comes to it, from now on.
  public func burden(_ host: Int, outgoing: Burden? = nil, incoming: Burden? = nil) {
    network.outgoing[host] = outgoing
    network.incoming[host] = incoming
  }

  /// Pulls a host's cable out of one of the networks, or plugs it in again.
  public func pull(_ host: Int, line: Int) { network.pull(host, line: line) }
  public func plug(_ host: Int, line: Int) { network.plug(host, line: line) }

  /// Has one of the networks delay every packet, from now on.
  public func burden(line: Int, _ burden: Burden?) { network.lineBurdens[line] = burden }

  /// On which of the networks `host` reaches `other`; nothing where it does not know it.
  public func line(from host: Int, to other: Int) -> Int? {
    hosts[host].node?.peers.first { $0.peer == hosts[other].peer }.map { Network.line(of: $0.path) }
  }

  /// Whether the network between two hosts is cut, or one of them sleeps.
  public func isCut(_ one: Int, _ other: Int) -> Bool { network.isCut(one, other) }

  /// Takes note that the course of things was changed: see ``lastChange``.
  public func noteChange() { network.noteChange() }

  /// When a host last came or went, or the network became another.
  public var lastChange: Duration { .nanoseconds(network.lastChange) }

  /// Ends the world, so that its memory is given back: the hosts hold on to one another.
  public func dissolve() {
    world.end()
    network.dissolve()
  }

  /// Has `observer` see what each host's user sees.
  public func observe(_ observer: @escaping (SimulatedHost, PeerAction) -> Void) {
    network.observer = observer
  }

  /// Mends every cut.
  public func heal() { network.mendAll() }

  /// The running hosts that hold themselves for the coordinator.
  public var coordinators: [Int] {
    hosts.filter { $0.node?.coordinator == $0.peer }.map(\.number)
  }

  /// The host that all running hosts take for the coordinator; nothing while they differ.
  public var coordinator: Int? {
    let views = Set(hosts.filter(\.isUp).map { $0.node?.coordinator })
    guard views.count == 1, let peer = views.first.flatMap(\.self) else { return nil }
    return hosts.first { $0.peer == peer && $0.isUp }?.number
  }

  /// Whether every running host hears every other one and has a link to it.
  public var isConnected: Bool {
    let up = hosts.filter(\.isUp)
    return up.allSatisfy { host in
      let reached = host.node?.peers.filter { $0.liveness == .connected && $0.hasLink } ?? []
      return Set(up.map(\.peer)).subtracting([host.peer]).isSubset(of: reached.map(\.peer))
    }
  }
}
