public import PeerCore
internal import Sealing
public import Units

/// A host that runs the real node, over a simulated network, by its own oscillator.
public final class SimulatedHost {
  /// Something that the host's user saw, and when in true time.
  public struct Event: Sendable {
    public let time: Duration
    public let action: PeerAction
  }

  /// The most events that are kept.
  static let mostEvents = 100_000

  public let number: Int
  public let peer: PeerID
  public let oscillator: Oscillator
  public private(set) var node: PeerNode?
  /// What the host's user saw, in order.
  public private(set) var events: [Event] = []
  /// What the node last wanted to be kept.
  public private(set) var stored: StoredTime?

  let network: Network
  private let cipher: Cipher
  private let policy: PeerNodePolicy
  private let seeds: [PathAddress]
  private var generator: SecureGenerator
  private var runs: UInt32 = 0
  private var links: [PeerID: ConnectionEnd] = [:]
  private var unnamed: [ObjectIdentifier: ConnectionEnd] = [:]
  private var wakeup: Int64?
  /// What waits for the program while it is frozen, in order; nothing while it runs.
  var backlog: [() -> Void]?

  init(
    number: Int, peer: PeerID, oscillator: Oscillator, network: Network, cipher: Cipher,
    policy: PeerNodePolicy, seeds: [PathAddress]
  ) {
    self.number = number
    self.peer = peer
    self.oscillator = oscillator
    self.network = network
    self.cipher = cipher
    self.policy = policy
    self.seeds = seeds
    generator = SecureGenerator(simulationSeed: network.world.bits())
  }

  /// Whether the host runs.
  public var isUp: Bool { node != nil }

  /// What the host's own clock reads now.
  public var clock: HostInstant { oscillator.host(atTrueNanoseconds: network.world.nanoseconds) }

  /// Starts the node, as a new run; with what an earlier one kept if `remembering`.
  public func start(remembering: Bool = false, activity: Activity = .idle) {
    runs += 1
    let configuration = PeerNodeConfiguration(
      peer: peer,
      incarnation: Incarnation(count: runs, nonce: UInt32(truncatingIfNeeded: generator.next())),
      label: "host-\(number)", software: "simulation", unicastPort: Network.datagramPort,
      reliablePort: Network.reliablePort, cipher: cipher, seeds: seeds,
      stored: remembering ? stored : nil,
      wall: WallReading(unixNanoseconds: 1_800_000_000_000_000_000, host: clock), policy: policy)
    let seed = SecureGenerator(simulationSeed: generator.next())
    node = PeerNode(configuration: configuration, generator: seed, at: clock)
    use { node, now in node.setActivity(activity, at: now) }
    wake()
  }

  /// Ends the node. With `crash` nothing tells the others; else connections close.
  public func stop(crash: Bool = false) {
    node = nil
    wakeup = nil
    backlog = nil
    if !crash {
      for link in Array(links.values) + Array(unnamed.values) { link.close() }
    }
    links = [:]
    unnamed = [:]
  }

  /// Lets a user of the host do something with the node, and carries out what comes of it.
  public func use(_ body: (inout PeerNode, HostInstant) throws -> [PeerAction]) rethrows {
    guard var running = node else { return }
    let actions = try body(&running, clock)
    node = running
    perform(actions)
  }

  /// What the displayed clock shows now.
  public func displayed() -> SharedInstant? { node?.now(at: clock) }

  /// What the events of a kind were.
  public func events<Value>(_ select: (PeerAction) -> Value?) -> [(time: Duration, value: Value)] {
    events.compactMap { event in select(event.action).map { (event.time, $0) } }
  }
}

// What the network brings.
extension SimulatedHost {
  func receive(_ bytes: [UInt8], from: Int, isMulticast: Bool, arrival: Int64) {
    let wait = { [unowned self] in
      receive(bytes, from: from, isMulticast: isMulticast, arrival: arrival)
    }
    if postpone(wait) { return }
    let isKernel = network.conditions.hasKernelStamps
    let stamp = isKernel ? oscillator.host(atTrueNanoseconds: arrival) : clock
    let datagram = ReceivedDatagram(
      bytes: bytes, path: Network.path(of: from), stamp: stamp,
      stampKind: isKernel ? .kernel : .userSpace, wasMulticast: isMulticast)
    use { node, now in node.receive(datagram, at: now) }
  }

  func receive(_ bytes: [UInt8], on end: ConnectionEnd) {
    if postpone({ [unowned self] in receive(bytes, on: end) }) { return }
    guard isUp else { return }
    do {
      for event in try end.link.receive(bytes, generator: &generator) {
        handle(event, on: end)
      }
    } catch {
      end.close()
      closed(end)
    }
  }

  func accept(_ end: ConnectionEnd) { unnamed[ObjectIdentifier(end)] = end }

  func closed(_ end: ConnectionEnd) {
    if postpone({ [unowned self] in closed(end) }) { return }
    unnamed[ObjectIdentifier(end)] = nil
    guard let peer = end.peer, links[peer] == nil || links[peer] === end else { return }
    links[peer] = nil
    use { node, now in node.linkClosed(peer, at: now) }
  }

  private func handle(_ event: ReliableLink.Event, on end: ConnectionEnd) {
    switch event {
    case .write(let bytes): end.write(bytes)
    case .message(let message):
      guard let peer = end.peer else { return }
      use { node, now in node.linkMessage(message, from: peer, at: now) }
    case .ready(let peer, let incarnation):
      unnamed[ObjectIdentifier(end)] = nil
      end.peer = peer
      let replaced = links[peer]
      links[peer] = end
      replaced?.close()
      use { node, now in node.linkReady(peer, incarnation: incarnation, at: now) }
    }
  }
}

// What the node wants.
extension SimulatedHost {
  private func wake() {
    if postpone({ [unowned self] in wake() }) { return }
    use { node, now in node.advance(to: now) }
  }

  private func scheduleWakeup() {
    guard let node else { return }
    let due = max(
      oscillator.trueNanoseconds(at: node.nextWakeup), network.world.nanoseconds + 1)
    if let wakeup, wakeup <= due { return }
    wakeup = due
    network.world.schedule(atNanoseconds: due) { [weak self] in
      guard let self, wakeup == due else { return }
      wakeup = nil
      wake()
    }
  }

  private func perform(_ actions: [PeerAction]) {
    for action in actions { perform(action) }
    scheduleWakeup()
  }

  private func perform(_ action: PeerAction) {
    switch action {
    case .send(let bytes, let path, let token): send(bytes, to: path, token: token)
    case .multicast(let bytes): multicast(bytes)
    case .dial(let peer, let path): dial(peer, at: path)
    case .hangUp(let peer): links.removeValue(forKey: peer)?.close()
    case .sendReliable(let peer, let message):
      guard let end = links[peer], let bytes = end.link.send(message, generator: &generator)
      else { return }
      end.write(bytes)
    case .persist(let time): stored = time
    default:
      if events.count < Self.mostEvents {
        events.append(Event(time: network.world.now, action: action))
      }
    }
  }

  private func send(_ bytes: [UInt8], to path: PathAddress, token: SendToken?) {
    let departure = network.world.nanoseconds + network.sendingDelay()
    if let other = network.host(at: path), path.port == Network.datagramPort {
      network.send(bytes, from: number, to: other, isMulticast: false, departure: departure)
    }
    guard let token, network.conditions.hasKernelStamps else { return }
    network.world.schedule(atNanoseconds: departure + 2_000) { [weak self] in
      guard let self else { return }
      let stamp = oscillator.host(atTrueNanoseconds: departure)
      node?.transmitted(token, stamp: stamp, kind: .kernel)
    }
  }

  private func multicast(_ bytes: [UInt8]) {
    guard network.conditions.hasMulticast else { return }
    let departure = network.world.nanoseconds + network.sendingDelay()
    // The sender hears itself too, as real groups have it.
    for other in network.hosts {
      network.send(bytes, from: number, to: other, isMulticast: true, departure: departure)
    }
  }

  private func dial(_ peer: PeerID, at path: PathAddress) {
    let own = ReliableLink(
      role: .dialler, cipher: cipher, me: self.peer, incarnation: incarnation)
    let end = ConnectionEnd(host: self, network: network, link: own, peer: peer)
    let delay = 3 * network.delay()
    network.world.schedule(atNanoseconds: network.world.nanoseconds + delay) { [weak self] in
      guard let self, isUp else { return }
      guard let other = network.host(at: path), other.isUp, !network.isCut(number, other.number)
      else { return closed(end) }
      accept(end)
      let far = other.listen(to: end)
      end.other = far
      end.write(end.link.start(generator: &generator))
    }
  }

  private func listen(to dialler: ConnectionEnd) -> ConnectionEnd {
    let own = ReliableLink(role: .listener, cipher: cipher, me: peer, incarnation: incarnation)
    let end = ConnectionEnd(host: self, network: network, link: own, peer: nil)
    end.other = dialler
    accept(end)
    return end
  }

  private var incarnation: Incarnation {
    node?.configuration.incarnation ?? Incarnation(count: runs, nonce: 0)
  }
}
