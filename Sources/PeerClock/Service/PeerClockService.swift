internal import EventLoop
internal import HostClock
internal import PeerCore
internal import Units

/// Drives a ``PeerNode`` on an event loop: carries bytes to it, and its wishes out.
///
/// All turns are alike: something happens, the node is told with the time, its actions are carried
/// out, and what others may read is brought up to date. The service decides nothing.
actor PeerClockService {
  /// What users want done at a shared time.
  typealias Action = @Sendable () async -> Void

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let transport: any PeerTransport
  let topics: ClockTopics
  let readout: ClockReadout
  let keeper: StateKeeper?
  let clock = HostClock()
  var node: PeerNode
  var links: LinkTable
  var agenda: [AgendaID: Action] = [:]
  var lastAgendaID: UInt64 = 0
  var linkRefusals = RefusalCounts()
  var wrongKeys = AddressCounts()
  /// Where the other end of each connection is.
  var remotes: [ConnectionID: PathAddress] = [:]
  /// How long the host had slept, when that was last looked at, in nanoseconds.
  private var suspended: Int64
  private var timer: EventLoop.Token?
  private var readableWaiters: [CheckedContinuation<Void, Never>] = []
  private(set) var isStopped = false

  init(_ parts: ServiceParts) {
    loop = parts.loop
    transport = parts.transport
    topics = parts.topics
    readout = parts.readout
    keeper = parts.keeper
    node = parts.node
    links = parts.links
    suspended = clock.suspendedNanoseconds()
  }

  deinit {
    // No job can be on its way to an actor that nobody holds.
    loop.stop()
  }

  /// Begins: from now on the node is woken when it wants to be.
  func begin() {
    guard !isStopped else { return }
    timer = loop.makeTimer { [weak self] in
      self?.assumeIsolated { $0.wake() }
    }
    wake()
  }

  private func wake() {
    closeOverdueLinks()
    turn { node, now in node.advance(to: now) }
  }

  /// One turn: tells the node something, and does what it wants. Where nothing came of it, as
  /// `isNothing` says of the node afterwards, that was all.
  func turn<Refusal: Error>(
    unlessNothing isNothing: (PeerNode) -> Bool = { _ in false },
    _ tell: (inout PeerNode, HostInstant) throws(Refusal) -> [PeerAction]
  ) throws(Refusal) {
    guard !isStopped else { return }
    noticeSleep()
    let actions = try tell(&node, clock.now())
    if actions.isEmpty, isNothing(node) { return }
    for action in actions { carryOut(action) }
    publish()
    if let timer { loop.set(timer, to: node.wakeupDue()) }
  }

  /// Before anything else after a sleep: what comes next is told by another clock.
  private func noticeSleep() {
    guard let slept = clock.sleptNanoseconds(since: suspended) else { return }
    suspended += slept
    for action in node.hostSlept(wall: ServiceMaker.wall(), at: clock.now()) { carryOut(action) }
  }

  /// Returns when the shared time can be read, or the clock was stopped; at once where time is the
  /// system's, which may be a long time in coming right.
  func waitUntilReadable() async {
    if isStopped || node.time.isOnSystemTime || readout.contents.clock?.map != nil { return }
    await withCheckedContinuation { readableWaiters.append($0) }
  }

  /// Ends it: sockets are closed, and nobody waits any more. May be called twice.
  func stop() {
    guard !isStopped else { return }
    isStopped = true
    transport.close()
    if let timer { loop.forget(timer) }
    agenda = [:]
    if let time = node.storedTime { keeper?.keep(time) }
    keeper?.close()
    topics.finish()
    releaseWaiters()
  }

  /// Ends it, and returns when the state directory is free, too.
  func finish() async {
    stop()
    await keeper?.waitUntilClosed()
  }

  private func publish() {
    readout.publish(
      ClockReadout.Contents(
        me: node.me, clock: node.time.clock, coordinator: node.coordinator,
        peers: readout.contents.peers))
    if node.time.clock.map != nil { releaseWaiters() }
  }

  private func releaseWaiters() {
    let waiters = readableWaiters
    readableWaiters = []
    for waiter in waiters { waiter.resume() }
  }
}

/// What a service is made of.
struct ServiceParts: Sendable {
  let loop: EventLoop
  let transport: any PeerTransport
  let topics: ClockTopics
  let readout: ClockReadout
  let keeper: StateKeeper?
  let node: PeerNode
  let links: LinkTable
}
