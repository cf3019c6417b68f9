public import Units

/// The numbers of ``Heartbeat``.
public struct HeartbeatPolicy: Hashable, Sendable {
  /// The time between two heartbeats.
  public let interval: Duration
  /// The least time between two heartbeats when something new is to be told at once.
  public let leastInterval: Duration
  /// The time between two heartbeats that say the same at once, lest it be lost.
  public var repetition: Duration { interval / 8 }
  public let suspectAfter: Duration
  public let lostAfter: Duration

  /// Makes a policy: the spans are positive and each is longer than the one before.
  public init(
    interval: Duration = .milliseconds(500), leastInterval: Duration = .milliseconds(20),
    suspectAfter: Duration = .milliseconds(1200), lostAfter: Duration = .seconds(3)
  ) {
    precondition(
      .zero < leastInterval && leastInterval < interval && interval < suspectAfter
        && suspectAfter < lostAfter,
      "heartbeats come before suspicion, and suspicion before loss")
    self.interval = interval
    self.leastInterval = leastInterval
    self.suspectAfter = suspectAfter
    self.lostAfter = lostAfter
  }
}

/// Decides when to send heartbeats, and how live each peer is from how long it was silent.
///
///     connected --(silent for `suspectAfter`)--> degraded --(silent for `lostAfter`)--> disconnected
///       ^                                            |                                       |
///       +------------------(anything heard)----------+---------------------------------------+
public struct Heartbeat: Sendable {
  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Send a heartbeat to every peer.
    case sendHeartbeat
    /// Tell whoever watches that `peer` became `liveness`.
    case report(peer: PeerID, liveness: Liveness)
  }

  private struct Watch: Sendable {
    var lastHeard: HostInstant
    var liveness: Liveness

    /// Takes note of something that was heard; how live the peer was before.
    mutating func hear(at now: HostInstant) -> Liveness {
      defer { liveness = .connected }
      lastHeard = max(lastHeard, now)
      return liveness
    }
  }

  private let policy: HeartbeatPolicy
  private var watches: [PeerID: Watch] = [:]
  /// No peer's liveness changes by silence before this. Who is heard is given longer than that:
  /// when it has passed all are looked at, and not at each datagram.
  private var nextSilence: HostInstant?
  /// How many peers are suspected.
  private var suspectCount = 0
  private var lastBeat: HostInstant?
  private var nextBeat: HostInstant
  /// How many of the next heartbeats follow at ``HeartbeatPolicy/repetition``.
  private var repetitions = 0

  /// Begins at `now`, with a heartbeat due at once.
  public init(policy: HeartbeatPolicy = HeartbeatPolicy(), at now: HostInstant) {
    self.policy = policy
    nextBeat = now
  }

  /// No later than the earliest time at which ``advance(to:)`` has something to do.
  public var nextWakeup: HostInstant { min(nextBeat, nextSilence ?? nextBeat) }

  /// How live `peer` is; nothing where it never was heard.
  public func liveness(of peer: PeerID) -> Liveness? { watches[peer]?.liveness }

  /// When anything was last heard from `peer`.
  public func lastHeard(_ peer: PeerID) -> HostInstant? { watches[peer]?.lastHeard }

  /// Whether any peer is suspected.
  public var hasSuspects: Bool { suspectCount > 0 }

  /// The peers that are suspected, in order.
  public var suspects: [PeerID] {
    guard hasSuspects else { return [] }
    var found: [PeerID] = []
    for (peer, watch) in watches where watch.liveness == .degraded { found.append(peer) }
    return found.sorted()
  }

  /// Takes note that something, whatever it was, arrived from `peer` at `now`.
  public mutating func heard(_ peer: PeerID, at now: HostInstant) -> [Action] {
    var before: Liveness?
    if let place = watches.index(forKey: peer) {
      before = watches.values[place].hear(at: now)
      if before == .connected { return [] }
    } else {
      watches[peer] = Watch(lastHeard: now, liveness: .connected)
    }
    if before == .degraded { suspectCount -= 1 }
    expectSilence(at: now + policy.suspectAfter)
    return [.report(peer: peer, liveness: .connected)]
  }

  /// Suspects all that seemed live: the host has slept, and its clock does not tell for how long.
  public mutating func suspectAll() -> [Action] {
    let live = watches.filter { $0.value.liveness == .connected }.keys.sorted()
    for peer in live { watches[peer]?.liveness = .degraded }
    suspectCount += live.count
    return live.map { .report(peer: $0, liveness: .degraded) }
  }

  /// Watches `peer` no longer.
  public mutating func forget(_ peer: PeerID) {
    if watches.removeValue(forKey: peer)?.liveness == .degraded { suspectCount -= 1 }
  }

  /// Has the next heartbeat sent as soon as manners allow: there is something new to tell.
  public mutating func hasten(at now: HostInstant) {
    let earliest = lastBeat.map { max(now, $0 + policy.leastInterval) } ?? now
    nextBeat = min(nextBeat, earliest)
  }

  /// Has the next heartbeat sent at once, and `count` more soon after it: what they say matters so
  /// much that no lost packet may keep it back.
  public mutating func insist(_ count: Int, at now: HostInstant) {
    repetitions = count
    hasten(at: now)
  }

  /// Brings the decisions up to `now`.
  public mutating func advance(to now: HostInstant) -> [Action] {
    var actions = noticeSilence(at: now)
    if nextBeat <= now {
      lastBeat = now
      nextBeat = now + (repetitions > 0 ? policy.repetition : policy.interval)
      repetitions = max(0, repetitions - 1)
      actions.append(.sendHeartbeat)
    }
    return actions
  }

  private mutating func noticeSilence(at now: HostInstant) -> [Action] {
    guard let next = nextSilence, next <= now else { return [] }
    nextSilence = nil
    var due: [PeerID] = []
    for (peer, watch) in watches {
      guard let deadline = deadline(of: watch) else { continue }
      if deadline <= now { due.append(peer) } else { expectSilence(at: deadline) }
    }
    return due.sorted().map { .report(peer: $0, liveness: silence(of: $0, at: now)) }
  }

  /// What becomes of a peer that was silent for too long.
  private mutating func silence(of peer: PeerID, at now: HostInstant) -> Liveness {
    guard var watch = watches[peer] else { return .disconnected }
    if watch.liveness == .degraded { suspectCount -= 1 }
    watch.liveness = watch.lastHeard + policy.lostAfter <= now ? .disconnected : .degraded
    if watch.liveness == .degraded { suspectCount += 1 }
    watches[peer] = watch
    if let deadline = deadline(of: watch) { expectSilence(at: deadline) }
    return watch.liveness
  }

  private mutating func expectSilence(at instant: HostInstant) {
    nextSilence = min(nextSilence ?? instant, instant)
  }

  private func deadline(of watch: Watch) -> HostInstant? {
    switch watch.liveness {
    case .connected: watch.lastHeard + policy.suspectAfter
    case .degraded: watch.lastHeard + policy.lostAfter
    case .disconnected: nil
    }
  }
}
