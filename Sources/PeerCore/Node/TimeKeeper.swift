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
    case system(SystemTimeline.Event)
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
  private var system: SystemTimeline?

  /// Begins with what was kept of an earlier run, if it still holds.
  public init(stored: StoredTime?, at now: HostInstant) {
    clock = SessionClock(
      session: stored?.map == nil ? nil : stored?.session, map: stored?.map, at: now)
  }

  /// Takes time from this host's own wall clock: whoever is coordinator only compares.
  public init(system session: Session, at now: HostInstant) {
    clock = SessionClock(session: session, at: now)
    system = SystemTimeline(session: session)
  }

  /// Whether time comes from this host's own wall clock.
  public var isOnSystemTime: Bool { system != nil }

  /// Takes in a reading of the wall clock, where time comes from it.
  public mutating func add(
    _ reading: SystemTimeReading, activity: Activity, at now: HostInstant
  ) -> [Event] {
    guard var timeline = system else { return [] }
    let generation = clock.map?.generation
    let events = timeline.add(reading, activity: activity).map(Event.system)
    system = timeline
    if let map = timeline.map { clock.take(map, at: now) }
    return events + (clock.map?.generation == generation ? [] : announcement)
  }

  /// By how much this host's session time is ahead of the coordinator's at `now`, and what both
  /// may be off by together; nothing while there is nothing to compare.
  public func disagreement(
    at now: HostInstant
  ) -> (nanoseconds: Int64, boundNanoseconds: Int64)? {
    guard system != nil, let own = clock.map, let theirMap, theirMap.session == own.session,
      let estimate
    else { return nil }
    let theirs = estimate.other(at: now)
    let ahead = own.shared(at: now).nanoseconds - theirMap.shared(at: theirs).nanoseconds
    return (
      ahead,
      own.boundNanoseconds(at: now) + theirMap.boundNanoseconds(at: theirs)
        + estimate.jitterBoundNanoseconds(at: now) + estimate.pathLimitNanoseconds
    )
  }

  /// What is known of the coordinator's clock; nothing when this host is it.
  public var estimate: OffsetEstimate? { coordinator == nil ? nil : estimator.estimate }

  /// The same, and while nobody is heard what was known last: its error grows as its bound says.
  public var lastEstimate: OffsetEstimate? { estimator.estimate }

  /// Follows `peer` from `now` on.
  public mutating func follow(_ peer: PeerID, at now: HostInstant) {
    guard coordinator != peer else { return }
    if system == nil { clock.yield(at: now) }
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
    if system != nil || clock.lead(at: now) { return [] }
    clock.mint(
      id: SessionID(from: &generator), unixNanoseconds: wall.unixNanoseconds(at: now),
      unixErrorNanoseconds: wall.errorNanoseconds, utcOffsetSeconds: wall.utcOffsetSeconds, at: now)
    return announcement
  }

  /// Leads into a new session, whatever there was.
  public mutating func renew(
    wall: WallReading, generator: inout some RandomNumberGenerator, at now: HostInstant
  ) -> [Event] {
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
    if system != nil {
      return theirMap.session == clock.session?.id
        ? events : events + kept(against: theirMap.session)
    }
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
