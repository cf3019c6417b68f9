public import Units

/// A host's hold on the session's timeline, through all changes of coordinator.
///
/// As a follower the map to shared time is composed of the estimate of the coordinator's clock and
/// the coordinator's own map; as coordinator the host's own map is the timeline. A successor
/// inherits: its last map simply becomes the timeline, so that nothing jumps.
public struct SessionClock: Sendable {
  /// The session that is kept, once there is one.
  public private(set) var session: Session?
  /// The best that is known: cuts, files and logs use it.
  public private(set) var map: ClockMap?
  /// How this host leads; nothing while it does not.
  private var leadership: Leadership?
  /// What there was before the coordinator that is followed; nothing once it has given way.
  var handover: Handover?
  /// Whether the next estimate gives the map, however coarse it is.
  var isHandoverOver = false
  private var displayed: DisplayedClock?
  var generation: UInt32 = 0

  /// Begins without a session; or with one that was kept, and with a map to it that was stored in
  /// this very boot. Without such a map the host is unsynced.
  public init(session: Session? = nil, map: ClockMap? = nil, at now: HostInstant) {
    self.session = session
    guard let session, let map, map.session == session.id else { return }
    self.map = map
    generation = map.generation
    displayed = DisplayedClock(map: map, at: now)
  }

  /// Mints a session at `now`: this host's clock becomes its timeline.
  /// A session that there was is linked to.
  public mutating func mint(
    id: SessionID, unixNanoseconds: Int64, unixErrorNanoseconds: Int64, utcOffsetSeconds: Int32,
    at now: HostInstant
  ) {
    let minted = Session(
      id: id, anchorUnixNanoseconds: unixNanoseconds, anchorErrorNanoseconds: unixErrorNanoseconds,
      utcOffsetSeconds: utcOffsetSeconds, previous: session?.id)
    session = minted
    leadership = Leadership(inheriting: nil, at: now)
    generation += 1
    set(
      ClockMap(
        session: id, generation: generation, hostAnchor: now, sharedAnchor: .sessionStart,
        skew: .zero, jitterBoundNanoseconds: 0, pathLimitNanoseconds: 0, boundGrowth: .zero),
      at: now)
  }

  /// Becomes the timeline: the map as it stands goes on, with the bound that it has as a reading
  /// of the timeline before. Whether there was a map to inherit.
  public mutating func lead(at now: HostInstant) -> Bool {
    guard let map else { return false }
    handover = nil
    leadership = Leadership(inheriting: map, at: now)
    bound(at: now)
    return true
  }

  /// Places the session that is kept, though its map is void, by what the wall clock says: good to no
  /// more than the wall clocks of then and now. Whether it could be placed.
  public mutating func recover(
    unixNanoseconds: Int64, errorNanoseconds: Int64, at now: HostInstant
  ) -> Bool {
    guard map == nil, let session else { return false }
    let (passed, isTooFar) = unixNanoseconds.subtractingReportingOverflow(
      session.anchorUnixNanoseconds)
    guard !isTooFar, passed.magnitude < UInt64(SharedInstant.limit / 2),
      let shared = SharedInstant(checking: session.anchor.nanoseconds + passed)
    else { return false }
    generation = max(generation, 1)
    let recovered = ClockMap(
      session: session.id, generation: generation, hostAnchor: now, sharedAnchor: shared,
      skew: .zero, jitterBoundNanoseconds: errorNanoseconds + session.anchorErrorNanoseconds,
      pathLimitNanoseconds: 0, boundGrowth: Self.recoveredGrowth)
    set(recovered, at: now)
    return true
  }

  /// By how much a crystal may be off that nobody has measured.
  private static let recoveredGrowth = ClockRate(partsPerMillion: 100)

  /// While this host leads: brings the bound up to what is known of the others.
  ///
  /// - Parameters:
  ///   - partedSince: since when another may lead elsewhere, if one may.
  ///   - isFree: whether no take rests on the timeline that there was before.
  public mutating func tend(partedSince: HostInstant?, isFree: Bool, at now: HostInstant) {
    guard var leading = leadership, let map else { return }
    var isNews = leading.part(since: partedSince)
    if isFree, leading.writeOff() { isNews = true }
    leadership = leading
    if isNews || map.boundGrowth != leading.growth(at: now) { bound(at: now) }
  }

  /// Leads no longer: what was the timeline by definition is now only this host's reading of it,
  /// which may have parted from it since `instant`, when its followers were last heard; since it
  /// began to lead where nobody followed. Whoever leads now may have gone on with the timeline that
  /// this host inherited, so that the bound which it had then counts again.
  public mutating func yield(partedSince instant: HostInstant?, at now: HostInstant) {
    guard var leading = leadership else { return }
    let instant = instant ?? leading.since
    _ = leading.part(since: min(leading.partedSince ?? instant, instant))
    leading.recall()
    leadership = leading
    bound(at: now)
    leadership = nil
  }

  /// Pins the map at `now`, with the bound that a coordinator's has then.
  private mutating func bound(at now: HostInstant) {
    guard let leadership, let map else { return }
    set(
      ClockMap(
        session: map.session, generation: map.generation, hostAnchor: now,
        sharedAnchor: map.shared(at: now), skew: map.skew,
        jitterBoundNanoseconds: leadership.jitterNanoseconds(at: now),
        pathLimitNanoseconds: leadership.pathNanoseconds,
        boundGrowth: leadership.growth(at: now)),
      at: now)
  }

  /// The map as it is to be kept for a next run: while this host is away another may lead, and then
  /// what is exact by definition now is a reading like any.
  public func keptMap(at now: HostInstant) -> ClockMap? {
    map?.kept(at: now, growingBy: leadership?.parting(at: now) ?? ClockMap.keptGrowth)
  }

  /// Takes up another session, which its coordinator's map will place.
  public mutating func adopt(_ other: Session) {
    guard other.id != session?.id else { return }
    session = other
    void()
  }

  /// Gives the map up, as after a suspend: the session stays, but the host is unsynced until it
  /// follows a coordinator again, in a new generation.
  public mutating func invalidate() {
    if map != nil { void() }
  }

  private mutating func void() {
    map = nil
    displayed = nil
    leadership = nil
    handover = nil
    generation += 1
  }

  /// Takes `map` as it is, in its own generation, which may step. A map of another session than
  /// the one kept has no effect.
  public mutating func take(_ new: ClockMap, at now: HostInstant) {
    guard new.session == session?.id else { return }
    generation = new.generation
    set(new, at: now)
  }

  /// What the displayed clock shows; nothing while the host is unsynced.
  public mutating func read(at now: HostInstant) -> SharedInstant? { displayed?.read(at: now) }

  /// What the displayed clock shows, without taking note of the reading.
  public func reading(at now: HostInstant) -> SharedInstant? { displayed?.reading(at: now) }

  /// When the displayed clock will show `instant`; nothing while the host is unsynced.
  public func host(at instant: SharedInstant) -> HostInstant? { displayed?.host(at: instant) }

  mutating func set(_ new: ClockMap, at now: HostInstant) {
    map = new
    if displayed == nil {
      displayed = DisplayedClock(map: new, at: now)
    } else {
      displayed?.follow(new, at: now)
    }
  }
}
