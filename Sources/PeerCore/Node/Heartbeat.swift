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
  }

  private let policy: HeartbeatPolicy
  private var watches: [PeerID: Watch] = [:]
  private var lastBeat: HostInstant?
  private var nextBeat: HostInstant
  /// How many of the next heartbeats follow at ``HeartbeatPolicy/repetition``.
  private var repetitions = 0

  /// Begins at `now`, with a heartbeat due at once.
  public init(policy: HeartbeatPolicy = HeartbeatPolicy(), at now: HostInstant) {
    self.policy = policy
    nextBeat = now
  }

  /// The earliest time at which ``advance(to:)`` has something to do.
  public var nextWakeup: HostInstant {
    watches.values.reduce(nextBeat) { earliest, watch in
      guard let deadline = deadline(of: watch) else { return earliest }
      return min(earliest, deadline)
    }
  }

  /// How live `peer` is; nothing where it never was heard.
  public func liveness(of peer: PeerID) -> Liveness? { watches[peer]?.liveness }

  /// When anything was last heard from `peer`.
  public func lastHeard(_ peer: PeerID) -> HostInstant? { watches[peer]?.lastHeard }

  /// The peers that are suspected, in order.
  public var suspects: [PeerID] {
    watches.filter { $0.value.liveness == .degraded }.keys.sorted()
  }

  /// Takes note that something, whatever it was, arrived from `peer` at `now`.
  public mutating func heard(_ peer: PeerID, at now: HostInstant) -> [Action] {
    let before = watches[peer]?.liveness
    watches[peer] = Watch(
      lastHeard: max(now, watches[peer]?.lastHeard ?? now), liveness: .connected)
    return before == .connected ? [] : [.report(peer: peer, liveness: .connected)]
  }

  /// Watches `peer` no longer.
  public mutating func forget(_ peer: PeerID) { watches[peer] = nil }

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
    var actions: [Action] = []
    let due = watches.filter { deadline(of: $0.value).map { $0 <= now } ?? false }
    for peer in due.keys.sorted() {
      guard let watch = watches[peer] else { continue }
      let lost = watch.lastHeard + policy.lostAfter <= now
      watches[peer]?.liveness = lost ? .disconnected : .degraded
      actions.append(.report(peer: peer, liveness: lost ? .disconnected : .degraded))
    }
    if nextBeat <= now {
      lastBeat = now
      nextBeat = now + (repetitions > 0 ? policy.repetition : policy.interval)
      repetitions = max(0, repetitions - 1)
      actions.append(.sendHeartbeat)
    }
    return actions
  }

  private func deadline(of watch: Watch) -> HostInstant? {
    switch watch.liveness {
    case .connected: watch.lastHeard + policy.suspectAfter
    case .degraded: watch.lastHeard + policy.lostAfter
    case .disconnected: nil
    }
  }
}
