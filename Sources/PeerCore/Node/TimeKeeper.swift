public import Units

/// Keeps shared time from exchanges with whoever is coordinator.
///
/// On a change of coordinator the map that there was holds over, until what is known of the new
/// one's clock is as good or a second has passed; in a take for longer. What is known of a clock is kept for when it is
/// followed again. A session is changed only while the host is idle, and only once the new one
/// can be read.
public struct TimeKeeper: Sendable {
  /// What came of it.
  public enum Event: Hashable, Sendable {
    case sessionChanged(Session, generation: UInt32)
    case restarted(SyncEstimator.Restart)
    /// The coordinator's clock lies further from where it was expected than the bound allowed.
    case surprised
    case sessionKept(own: SessionID, other: SessionID)
    /// How readings of one session's time lead to another's: of one that was left to the present
    /// one's, or of the one that is kept to that which the others are in.
    case compared(SessionLink)
    case system(SystemTimeline.Event)
  }

  /// How long an old map is preferred while it is the better one.
  static let handover = Duration.seconds(1)
  /// How long it takes at most until a coordinator that is gone is missed by all.
  static let noticing = Duration.seconds(4)
  /// How long a rate must have been measured to be worth keeping.
  static let rateSpan = Duration.seconds(30)
  /// How often two sessions are compared of which a busy host keeps one.
  static let comparison = Duration.seconds(60)

  /// The session's clock on this host.
  public internal(set) var clock: SessionClock
  /// The rates of other hosts' clocks.
  public internal(set) var rates: RateBook
  var system: SystemTimeline?
  var estimator = SyncEstimator()
  var estimators = EstimatorTable()
  var coordinator: PeerRun?
  /// Since when it is followed, and when the first exchange of the present window was.
  var since: HostInstant?
  var windowStart: HostInstant?
  /// Until when the map was known to lie on the line of the coordinator that there is, or was last.
  var onLineUntil: HostInstant?
  /// Whether the coordinator's map goes on with the line that this host's own map was measured on.
  var isOnTheirLine = false
  var theirSession: Session?
  var theirSessionSince: HostInstant?
  var theirMap: ClockMap?
  /// The coordinator's map that this host's own leads by, whatever was measured last.
  var theirLine: ClockMap?
  /// Which other session this host was last reported to keep its own against.
  var keptAgainst: SessionID?
  var lastCompared: HostInstant?
  /// When those who follow this host were last heard, while it leads.
  private var followedUntil: HostInstant?

  /// Begins with what was kept of an earlier run: its map only if that still holds.
  public init(stored: StoredTime?, at now: HostInstant) {
    clock = SessionClock(session: stored?.session, map: stored?.map, at: now)
    rates = stored?.rates ?? RateBook()
  }

  /// Takes time from this host's own wall clock: whoever is coordinator only compares.
  public init(system session: Session, at now: HostInstant) {
    clock = SessionClock(session: session, at: now)
    rates = RateBook()
    system = SystemTimeline(session: session)
  }

  /// What is known of the coordinator's clock; nothing when this host is it.
  public var estimate: OffsetEstimate? { coordinator == nil ? nil : estimator.estimate }

  /// The same, and while nobody is heard what was known last: its error grows as its bound says.
  public var lastEstimate: OffsetEstimate? { estimator.estimate }

  /// Follows a run of a peer from `now` on, which leads since `instant`, or up to a second before.
  public mutating func follow(
    _ run: PeerRun, leadingSince instant: HostInstant, at now: HostInstant
  ) {
    guard coordinator != run else { return }
    // It led already while this host was on another line: how the two lie only measuring tells.
    let isOther = onLineUntil.map { $0 > instant + .seconds(1) }
    isOnTheirLine = isOther == false
    if system == nil {
      clock.yield(partedSince: followedUntil.map { min($0, instant - Self.noticing) }, at: now)
      clock.beginHandover()
      if isOther == true { clock.endHandover() }
    }
    putAway(at: now)
    coordinator = run
    since = now
    lastCompared = nil
    theirSession = nil
    theirMap = nil
    if let known = estimators.take(run) { estimator = known }
  }

  /// Follows nobody: the map holds over.
  public mutating func holdOver(at now: HostInstant) {
    noteRate()
    rest(at: now, isForSure: true)
    if let coordinator { estimators.keep(estimator, of: coordinator) }
    coordinator = nil
    theirMap = nil
  }

  /// Leads: the map as it stands becomes the timeline, or a session is minted. A host that is busy
  /// keeps its session: where its map is void the wall clock must place it, for want of better.
  public mutating func lead(
    wall: WallReading, activity: Activity, generator: inout some RandomNumberGenerator,
    at now: HostInstant
  ) -> [Event] {
    putAway(at: now)
    followedUntil = nil
    onLineUntil = now
    if system != nil || clock.lead(at: now) { return [] }
    if activity != .idle {
      let events = recover(wall: wall, at: now)
      if clock.lead(at: now) { return events }
    }
    clock.mint(
      id: SessionID(from: &generator), unixNanoseconds: wall.unixNanoseconds(at: now),
      unixErrorNanoseconds: wall.errorNanoseconds, utcOffsetSeconds: wall.utcOffsetSeconds, at: now)
    return announcement
  }

  /// Places the session that is kept by the wall clock, where its map is void.
  private mutating func recover(wall: WallReading, at now: HostInstant) -> [Event] {
    let isPlaced = clock.recover(
      unixNanoseconds: wall.unixNanoseconds(at: now), errorNanoseconds: wall.errorNanoseconds,
      at: now)
    return isPlaced ? announcement : []
  }

  /// A host that is busy and has lost its map among others who live in another session: they cannot
  /// give it back, so that the wall clock must place its own.
  public mutating func recoverBesideOthers(wall: WallReading, at now: HostInstant) -> [Event] {
    guard clock.map == nil, let own = clock.session?.id, let other = keptAgainst, other != own
    else { return [] }
    return recover(wall: wall, at: now)
  }

  /// Leads into a new session, whatever there was.
  public mutating func renew(
    wall: WallReading, generator: inout some RandomNumberGenerator, at now: HostInstant
  ) -> [Event] {
    let before = clock.map
    clock.mint(
      id: SessionID(from: &generator), unixNanoseconds: wall.unixNanoseconds(at: now),
      unixErrorNanoseconds: wall.errorNanoseconds, utcOffsetSeconds: wall.utcOffsetSeconds, at: now)
    guard let before, let after = clock.map else { return announcement }
    return [.compared(SessionLink(from: before, to: after, at: now))] + announcement
  }

  /// While this host leads: brings its bound up to what is known of the others; see
  /// ``SessionClock/tend(partedSince:isFree:at:)``.
  public mutating func tend(
    followedUntil: HostInstant?, partedSince: HostInstant?, isFree: Bool, at now: HostInstant
  ) {
    guard coordinator == nil, system == nil else { return }
    self.followedUntil = followedUntil ?? self.followedUntil
    onLineUntil = followedUntil ?? onLineUntil
    clock.tend(partedSince: partedSince, isFree: isFree, at: now)
  }

  /// Takes note of the coordinator's session, as it was told at `now`.
  public mutating func heard(_ session: Session?, from peer: PeerID, at now: HostInstant) {
    guard peer == coordinator?.peer, let session, session != theirSession else { return }
    theirSession = session
    theirSessionSince = now
  }

  /// Leads no longer, in favour of somebody who is not heard: the map holds over, and its bound grows.
  public mutating func giveWay(at now: HostInstant) {
    if system == nil { clock.yield(partedSince: followedUntil, at: now) }
    holdOver(at: now)
  }

  /// Begins measuring anew, as after a jump of a clock.
  public mutating func restart(at now: HostInstant) {
    estimator.restart()
    estimators.removeAll()
    since = now
    windowStart = nil
  }

  /// The way to the coordinator is another: what was measured on the one before says nothing of
  /// its delays. The rate stays known, and the map holds over until the new way is known as well.
  public mutating func pathChanged(at now: HostInstant) {
    noteRate()
    estimator.restart()
    since = now
    windowStart = nil
  }

  /// The host has slept, and its clock with it: the map is void, all that was measured too.
  public mutating func slept(at now: HostInstant) {
    restart(at: now)
    theirMap = nil
    theirLine = nil
    if system == nil { clock.invalidate() }
  }

  /// What the displayed clock shows at `now`, always more than the reading before.
  public mutating func read(at now: HostInstant) -> SharedInstant? { clock.read(at: now) }

  /// Keeps what is known of the coordinator that was, and begins without knowledge of a clock.
  private mutating func putAway(at now: HostInstant) {
    holdOver(at: now)
    estimator = SyncEstimator()
    windowStart = nil
    theirLine = nil
  }
}
