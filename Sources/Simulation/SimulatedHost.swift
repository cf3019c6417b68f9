public import PeerCore
internal import Sealing
public import Units

/// A host that runs the real node, over a simulated network, by its own crystal.
public final class SimulatedHost {
  /// Something that the host's user saw, and when in true time.
  public struct Event: Sendable {
    public let time: Duration
    public let action: PeerAction
  }

  /// What the program is doing, as the kernel sees it.
  enum Condition {
    case running
    /// Stopped, as by SIGSTOP: what arrives waits for it, in order.
    case frozen(backlog: [() -> Void])
    /// The whole host sleeps: what arrives is lost.
    case suspended
  }

  /// The most events that are kept.
  static let mostEvents = 100_000

  public let number: Int
  /// Where it is reached.
  let paths: [PathAddress]
  public internal(set) var peer: PeerID
  /// Read where they stand, at each packet: an observer would have them copied.
  public private(set) var clocks: HostClocks
  /// What both clocks were last found to read, and when: a turn asks for it several times.
  private var lastReading: (nanoseconds: Int64, clock: HostInstant, unixNanoseconds: Int64)?
  public private(set) var node: PeerNode?
  /// What the host's user saw, in order, where the fleet keeps a record.
  public private(set) var events: [Event] = []
  /// What the host has sent since the beginning, and what reached it.
  public internal(set) var traffic = Traffic()

  let network: Network
  let cipher: Cipher
  private let policy: PeerNodePolicy
  private let seeds: [PathAddress]
  var generator: SecureGenerator
  var runs: UInt32 = 0
  var links: [PeerID: ConnectionEnd] = [:]
  var unnamed: [ObjectIdentifier: ConnectionEnd] = [:]
  /// When the host wakes next, in true time and by its own clock.
  private var wakeup: (nanoseconds: Int64, host: HostInstant)?
  var condition = Condition.running
  var trail = SandwichTrail()
  var stored: (time: StoredTime, epoch: Int)?
  /// Grows with each boot and each sleep: a map that was kept holds within one epoch only.
  var epoch = 0
  var isBooting = false

  init(
    number: Int, peer: PeerID, clocks: HostClocks, network: Network, cipher: Cipher,
    policy: PeerNodePolicy, seeds: [PathAddress]
  ) {
    self.number = number
    paths = (0..<network.lines).map { Network.path(of: number, line: $0) }
    self.peer = peer
    self.clocks = clocks
    self.network = network
    self.cipher = cipher
    self.policy = policy
    self.seeds = seeds
    generator = SecureGenerator(simulationSeed: network.world.bits())
  }

  /// Whether the host runs, be it frozen or suspended.
  public var isUp: Bool { node != nil }

  /// Whether the host runs and its program has its turns.
  public var isAwake: Bool { isRunning && isUp }

  /// Whether the program, if there is one, has its turns.
  var isRunning: Bool {
    if case .running = condition { true } else { false }
  }

  /// Something happens to the clocks.
  func changeClocks(_ change: (inout HostClocks) -> Void) {
    change(&clocks)
    lastReading = nil
  }

  /// The host's crystal.
  public var oscillator: Oscillator { clocks.oscillator }

  /// What the host's own clock reads now.
  public var clock: HostInstant { reading.clock }

  /// What both clocks read now.
  var reading: (nanoseconds: Int64, clock: HostInstant, unixNanoseconds: Int64) {
    let now = network.world.nanoseconds
    if let lastReading, lastReading.nanoseconds == now { return lastReading }
    let (clock, unix) = clocks.both(atTrueNanoseconds: now)
    lastReading = (now, clock, unix)
    return (now, clock, unix)
  }

  /// What REALTIME reads now.
  public var wall: WallReading {
    WallReading(unixNanoseconds: reading.unixNanoseconds, host: clock)
  }

  /// What the node last wanted to be kept; without its map where that holds no longer.
  public var kept: StoredTime? {
    stored.map { time, epoch in
      StoredTime(
        session: time.session, map: epoch == self.epoch ? time.map : nil, rates: time.rates)
    }
  }

  /// Starts the node, as a new run; with what an earlier one kept if `remembering`.
  /// While the host boots nothing happens: it starts by itself then.
  public func start(remembering: Bool = false, activity: Activity = .idle) {
    guard !isBooting else { return }
    network.noteChange()
    condition = .running
    runs += 1
    let configuration = PeerNodeConfiguration(
      peer: peer,
      incarnation: Incarnation(count: runs, nonce: UInt32(truncatingIfNeeded: generator.next())),
      label: "host-\(number)", software: "simulation", unicastPort: Network.datagramPort,
      reliablePort: Network.reliablePort, cipher: cipher, seeds: seeds,
      stored: remembering ? kept : nil, wall: wall,
      policy: policy)
    let seed = SecureGenerator(simulationSeed: generator.next())
    trail = SandwichTrail()
    node = PeerNode(configuration: configuration, generator: seed, at: clock)
    use { node, now in
      node.setChannels(network.lines)
      return node.setActivity(activity, at: now)
    }
    wake()
  }

  /// Ends the node. With `crash` nothing tells the others; else connections close.
  public func stop(crash isCrash: Bool = false) {
    // A host that sleeps does nothing in good order.
    let crash = isCrash || isSuspended
    wakeUp()
    network.noteChange()
    // As the shell does when it is ended in good order.
    if !crash, let time = node?.storedTime { stored = (time, epoch) }
    node = nil
    wakeup = nil
    condition = .running
    for end in ends { if crash { end.lose() } else { end.close() } }
    links = [:]
    unnamed = [:]
  }

  /// Lets go of its connections, which hold on to one another.
  func dissolve() { for end in ends { end.lose() } }

  private var ends: [ConnectionEnd] { Array(links.values) + Array(unnamed.values) }

  /// Lets a user of the host do something with the node, and carries out what comes of it.
  public func use(_ body: (inout PeerNode, HostInstant) throws -> [PeerAction]) rethrows {
    let now = clock
    guard let actions = try node?.turn({ node in try body(&node, now) }) else { return }
    for action in actions { perform(action) }
    scheduleWakeup()
  }

  /// Looks at the node where it stands: a copy of it would take longer than the look.
  public func look<Result>(_ body: (inout PeerNode) -> Result) -> Result? {
    node?.turn { node in body(&node) }
  }

  /// A twin keeps the id: this host goes, and another one comes.
  func rekey(as peer: PeerID) {
    network.noteChange()
    for end in ends { end.close() }
    links = [:]
    unnamed = [:]
    self.peer = peer
    node = node?.rekeyed(as: peer, at: clock)
    wakeup = nil
    scheduleWakeup()
  }

  /// What the displayed clock shows now.
  public func displayed() -> SharedInstant? {
    let now = clock
    return node?.now(at: now)
  }

  /// What the events of a kind were.
  public func events<Value>(_ select: (PeerAction) -> Value?) -> [(time: Duration, value: Value)] {
    events.compactMap { event in select(event.action).map { (event.time, $0) } }
  }

  /// Which run of the host this is.
  var incarnation: Incarnation {
    node?.configuration.incarnation ?? Incarnation(count: runs, nonce: 0)
  }
}

// Its wake-ups, and its records.
extension SimulatedHost {
  func wake() {
    if !isRunning, postpone({ [unowned self] in wake() }) { return }
    use { node, now in node.advance(to: now) }
  }

  func scheduleWakeup() {
    guard let wanted = node?.turn({ node in node.wakeupDue() }) else { return }
    // Most turns change nothing in this, and to invert a clock takes longer than a turn.
    if let wakeup, wakeup.host <= wanted { return }
    guard let reached = clocks.trueNanoseconds(at: wanted) else { return }
    let due = max(reached, network.world.nanoseconds + 1)
    if let wakeup, wakeup.nanoseconds <= due { return }
    wakeup = (due, wanted)
    // Until the world ends its queue holds on to the host.
    network.world.schedule(atNanoseconds: due) { [self] in
      guard wakeup?.nanoseconds == due else { return }
      wakeup = nil
      wake()
    }
  }

  /// Whatever wake-up was due is not any more.
  func forgetWakeup() { wakeup = nil }

  /// Keeps what the node wants to be kept.
  func keep(_ time: StoredTime) { stored = (time, epoch) }

  /// Tells the host's user.
  func tell(_ action: PeerAction) {
    network.observer?(self, action)
    guard network.keepsRecord, events.count < Self.mostEvents else { return }
    events.append(Event(time: network.world.now, action: action))
  }
}

extension PeerNode {
  /// Changes the node where it stands: taken out and put back it would be copied at each turn.
  fileprivate mutating func turn<Result>(
    _ body: (inout PeerNode) throws -> Result
  ) rethrows -> Result {
    try body(&self)
  }
}
