public import Units

/// Keeps shared time from exchanges with whoever is coordinator.
///
/// On a change of coordinator the map that there was holds over, until what is known of the new
/// one's clock is as good or a second has passed. A session is changed only while the host is
/// idle, and only once the new one can be read.
public struct TimeKeeper: Sendable {
  /// What came of it.
  public enum Event: Hashable, Sendable {
    case sessionChanged(Session, generation: UInt32)
    case restarted(SyncEstimator.Restart)
    case sessionKept(own: SessionID, other: SessionID)
  }

  /// How long an old map is preferred while it is the better one.
  static let handover = Duration.seconds(1)

  /// The session's clock on this host.
  public private(set) var clock: SessionClock
  private var estimator = SyncEstimator()
  private var coordinator: PeerID?
  private var since: HostInstant?
  private var hasTakenOver = false
  private var theirSession: Session?
  private var keptAgainst: SessionID?
  private var theirMap: ClockMap?

  /// Begins with what was kept of an earlier run, if it still holds.
  public init(stored: StoredTime?, at now: HostInstant) {
    clock = SessionClock(
      session: stored?.map == nil ? nil : stored?.session, map: stored?.map, at: now)
  }

  /// What is known of the coordinator's clock; nothing when this host is it.
  public var estimate: OffsetEstimate? { coordinator == nil ? nil : estimator.estimate }

  /// The same, and while nobody is heard what was known last: its error grows as its bound says.
  public var lastEstimate: OffsetEstimate? { estimator.estimate }

  /// Follows `peer` from `now` on.
  public mutating func follow(_ peer: PeerID, at now: HostInstant) {
    guard coordinator != peer else { return }
    clock.yield(at: now)
    coordinator = peer
    since = now
    hasTakenOver = false
    theirSession = nil
    theirMap = nil
    estimator = SyncEstimator()
  }

  /// Follows nobody: the map holds over.
  public mutating func holdOver() {
    coordinator = nil
    theirMap = nil
  }

  /// Leads: the map as it stands becomes the timeline, or a session is minted.
  public mutating func lead(
    wall: WallReading, generator: inout some RandomNumberGenerator, at now: HostInstant
  ) -> [Event] {
    holdOver()
    estimator = SyncEstimator()
    if clock.lead(at: now) { return [] }
    clock.mint(
      id: SessionID(from: &generator), unixNanoseconds: wall.unixNanoseconds(at: now),
      unixErrorNanoseconds: wall.errorNanoseconds, utcOffsetSeconds: wall.utcOffsetSeconds, at: now)
    return announcement
  }

  /// Takes note of the coordinator's session.
  public mutating func heard(_ session: Session?, from peer: PeerID) {
    if peer == coordinator, let session { theirSession = session }
  }

  /// Begins measuring anew, as after a suspend or another run of the coordinator.
  public mutating func restart(at now: HostInstant) {
    estimator.restart()
    since = now
    hasTakenOver = false
  }

  /// Takes in an exchange with the coordinator and the map that came with it.
  public mutating func add(
    _ exchange: SyncExchange, map: ClockMap?, activity: Activity, at now: HostInstant
  ) -> [Event] {
    var events: [Event] = []
    if let reason = estimator.add(exchange) { events.append(.restarted(reason)) }
    theirMap = map ?? theirMap
    guard let theirMap, let estimate = estimator.estimate else { return events }
    if let session = theirSession, session.id == theirMap.session, session.id != clock.session?.id {
      guard activity == .idle || clock.session == nil else {
        return events + kept(against: session.id)
      }
      clock.adopt(session)
      hasTakenOver = true
      clock.follow(theirMap, through: estimate, at: now)
      return events + announcement
    }
    guard theirMap.session == clock.session?.id else { return events }
    keptAgainst = nil
    if isBetter(estimate, than: clock.map, at: now) {
      hasTakenOver = true
      clock.follow(theirMap, through: estimate, at: now)
    }
    return events
  }

  private var announcement: [Event] {
    guard let session = clock.session, let map = clock.map else { return [] }
    return [.sessionChanged(session, generation: map.generation)]
  }

  private mutating func kept(against other: SessionID) -> [Event] {
    guard let own = clock.session?.id, keptAgainst != other else { return [] }
    keptAgainst = other
    return [.sessionKept(own: own, other: other)]
  }

  private func isBetter(
    _ estimate: OffsetEstimate, than held: ClockMap?, at now: HostInstant
  ) -> Bool {
    guard let held, !hasTakenOver, let since, now < since + Self.handover else { return true }
    let bound = estimate.jitterBoundNanoseconds + estimate.pathLimitNanoseconds
    return bound <= held.boundNanoseconds(at: now)
  }

  /// What the displayed clock shows at `now`, always more than the reading before.
  public mutating func read(at now: HostInstant) -> SharedInstant? { clock.read(at: now) }
}
