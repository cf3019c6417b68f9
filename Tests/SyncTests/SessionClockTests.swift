import PeerCore
import TestLanes
import Testing
import Units

@Suite("A host's hold on the timeline", .computing)
struct SessionClockTests {
  static let start = HostInstant(nanoseconds: 1_000_000_000_000)
  static let id = SessionID(high: 7, low: 8)

  static func minted() -> SessionClock {
    var clock = SessionClock(at: start)
    clock.mint(
      id: id, unixNanoseconds: 1_800_000_000_000_000_000, unixErrorNanoseconds: 1000,
      utcOffsetSeconds: 3600, at: start)
    return clock
  }

  @Test("a session begins at a day and runs with its coordinator's clock")
  func mint() {
    var clock = Self.minted()
    let first = clock.read(at: Self.start)
    let later = clock.read(at: Self.start + .seconds(5))
    #expect(first == .sessionStart)
    #expect(later == .sessionStart + .seconds(5))
    #expect(clock.map?.boundNanoseconds(at: Self.start + .seconds(500)) == 0)
  }

  @Test("a successor's timeline is its map as a follower, to the nanosecond")
  func inheritance() throws {
    var path = SimulatedPath(seed: 9)
    var estimator = SyncEstimator()
    for instant in (0..<40).map({ 100 + Double($0) * 0.025 }) {
      if let exchange = path.exchange(at: instant) { estimator.add(exchange) }
    }
    let coordinator = ClockMap(
      session: Self.id, generation: 1, hostAnchor: HostInstant(nanoseconds: 7_300_000_000_000),
      sharedAnchor: .sessionStart, skew: .zero, jitterBoundNanoseconds: 0,
      pathLimitNanoseconds: 0, boundGrowth: .zero)
    var clock = SessionClock(at: HostInstant(nanoseconds: 0))
    clock.adopt(
      Session(
        id: Self.id, anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0, utcOffsetSeconds: 0))
    let now = HostInstant(nanoseconds: 101_100_000_000)
    clock.follow(coordinator, through: try #require(estimator.estimate), at: now)
    let before = try #require(clock.map)
    let inherited = clock.lead(at: now)
    #expect(inherited)
    let after = try #require(clock.map)
    for seconds in [0, 1, 100] {
      let instant = now + .seconds(seconds)
      #expect(after.shared(at: instant) == before.shared(at: instant))
    }
    #expect(after.generation == before.generation)
    #expect(after.boundNanoseconds(at: now) == before.boundNanoseconds(at: now))
  }

  @Test("a correction is slewed at 500 ppm, and no reading goes back", arguments: [-1, 1])
  func slew(sign: Int64) throws {
    let map = try #require(Self.minted().map)
    var clock = DisplayedClock(map: map, at: Self.start)
    let wrong = ClockMap(
      session: Self.id, generation: map.generation, hostAnchor: map.hostAnchor,
      sharedAnchor: map.sharedAnchor + .microseconds(2_000 * sign), skew: .zero,
      jitterBoundNanoseconds: 0, pathLimitNanoseconds: 0, boundGrowth: .zero)
    clock.follow(wrong, at: Self.start)
    // 2 ms at 500 ppm take 4 s: after 2 s half of it is done.
    let half = clock.read(at: Self.start + .seconds(2))
    #expect(half == .sessionStart + .seconds(2) + .microseconds(1_000 * sign))
    let whole = clock.read(at: Self.start + .seconds(5))
    #expect(whole == .sessionStart + .seconds(5) + .microseconds(2_000 * sign))
    let earlier = clock.read(at: Self.start + .seconds(4))
    #expect(earlier > whole)
  }

  @Test("a new generation may step")
  func generation() throws {
    let map = try #require(Self.minted().map)
    var clock = DisplayedClock(map: map, at: Self.start)
    let next = ClockMap(
      session: Self.id, generation: map.generation + 1, hostAnchor: map.hostAnchor,
      sharedAnchor: map.sharedAnchor + .seconds(9), skew: .zero, jitterBoundNanoseconds: 0,
      pathLimitNanoseconds: 0, boundGrowth: .zero)
    clock.follow(next, at: Self.start)
    #expect(clock.reading(at: Self.start) == .sessionStart + .seconds(9))
  }

  @Test("the time at which an instant is shown is found to the nanosecond, through a slew too")
  func inverse() throws {
    let map = try #require(Self.minted().map)
    var clock = DisplayedClock(map: map, at: Self.start)
    let wrong = ClockMap(
      session: Self.id, generation: map.generation, hostAnchor: map.hostAnchor,
      sharedAnchor: map.sharedAnchor + .milliseconds(1), skew: ClockRate(partsPerMillion: 40),
      jitterBoundNanoseconds: 0, pathLimitNanoseconds: 0, boundGrowth: .zero)
    clock.follow(wrong, at: Self.start)
    for seconds in [1, 3, 60] {
      let instant = SharedInstant.sessionStart + .seconds(seconds)
      let shown = clock.reading(at: clock.host(at: instant))
      #expect(abs(shown.nanoseconds - instant.nanoseconds) <= 1)
    }
  }

  @Test("a map of another session has no effect; adopting that session voids the map")
  func otherSession() throws {
    var clock = Self.minted()
    let before = clock.map
    let other = Session(
      id: SessionID(high: 1, low: 1), anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0,
      utcOffsetSeconds: 0)
    clock.adopt(other)
    #expect(clock.map == nil)
    #expect(clock.session == other)
    #expect(before != nil)
  }

  @Test("after a suspend the host is unsynced, and the next map is of another generation")
  func invalidated() throws {
    var clock = Self.minted()
    let before = try #require(clock.map)
    clock.invalidate()
    #expect(clock.map == nil)
    #expect(clock.reading(at: Self.start) == nil)
    let led = clock.lead(at: Self.start)
    #expect(!led)
    clock.follow(Self.far(generation: 1), through: try Self.estimate(exchanges: 80), at: Self.later)
    #expect(try #require(clock.map).generation > before.generation)
  }

  @Test("a busy host's void map is made of the wall clock, and steps when it is measured again")
  func recovered() throws {
    var clock = Self.minted()
    let session = try #require(clock.session)
    clock.invalidate()
    let wall = session.anchorUnixNanoseconds + 60_000_000_000
    let placed = clock.recover(
      unixNanoseconds: wall, errorNanoseconds: 1_000_000_000, at: Self.start)
    #expect(placed)
    let map = try #require(clock.map)
    #expect(map.session == session.id)
    #expect(map.shared(at: Self.start) == session.anchor + .seconds(60))
    #expect(map.jitterBoundNanoseconds == 1_000_000_000 + session.anchorErrorNanoseconds)
    let stepped = clock.follow(
      Self.far(generation: 1), through: try Self.estimate(exchanges: 80), at: Self.later)
    #expect(stepped)
    #expect(try #require(clock.map).generation == map.generation + 1)
  }

  @Test("no wall clock places a session from beyond 73 years away", arguments: [Int64.min, .max])
  func unplaceable(wall: Int64) {
    var clock = Self.minted()
    clock.invalidate()
    let placed = clock.recover(unixNanoseconds: wall, errorNanoseconds: 1, at: Self.start)
    #expect(!placed)
  }

  @Test("what is exact while a host leads is kept as a reading of what may go on without it")
  func kept() throws {
    let clock = Self.minted()
    let now = Self.start + .seconds(40)
    let map = try #require(clock.map)
    let kept = try #require(clock.keptMap(at: now))
    #expect(map.boundNanoseconds(at: now + .seconds(60)) == 0)
    #expect(kept.shared(at: now) == map.shared(at: now))
    #expect((60_000...61_000).contains(kept.boundNanoseconds(at: now + .seconds(60))))
  }

  @Test("a map stored in this boot takes up the timeline, and its bound has grown with the gap")
  func restored() throws {
    let session = try #require(Self.minted().session)
    let stored = ClockMap(
      session: session.id, generation: 4, hostAnchor: Self.start, sharedAnchor: .sessionStart,
      skew: ClockRate(partsPerMillion: 30), jitterBoundNanoseconds: 1_000,
      pathLimitNanoseconds: 500, boundGrowth: ClockRate(partsPerMillion: 0.5))
    let now = Self.start + .seconds(1_000)
    var clock = SessionClock(session: session, map: stored, at: now)
    #expect(clock.read(at: now) == .sessionStart + .seconds(1_000) + .milliseconds(30))
    #expect(clock.map?.boundNanoseconds(at: now) == 501_500)
    let other = SessionID(high: 9, low: 9)
    let stranger = ClockMap(
      session: other, generation: 4, hostAnchor: Self.start, sharedAnchor: .sessionStart,
      skew: .zero, jitterBoundNanoseconds: 0, pathLimitNanoseconds: 0, boundGrowth: .zero)
    #expect(SessionClock(session: session, map: stranger, at: now).map == nil)
  }

  @Test("a new coordinator's first, coarse exchanges do not spoil a map that is held over")
  func coarse() throws {
    var clock = SessionClock(at: HostInstant(nanoseconds: 0))
    clock.adopt(
      Session(
        id: Self.id, anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0, utcOffsetSeconds: 0))
    clock.follow(Self.far(generation: 1), through: try Self.estimate(exchanges: 80), at: Self.later)
    let held = try #require(clock.map)
    clock.follow(Self.far(generation: 1), through: try Self.estimate(exchanges: 1), at: Self.later)
    #expect(clock.map == held)
    // A coordinator whose timeline lies elsewhere, beyond both bounds, is right by definition.
    let elsewhere = Self.far(generation: 1, shift: .milliseconds(5))
    clock.follow(elsewhere, through: try Self.estimate(exchanges: 1), at: Self.later)
    #expect(clock.map != held)
  }

  static let later = HostInstant(nanoseconds: 110_000_000_000)

  /// What a path's first exchanges tell.
  static func estimate(exchanges: Int) throws -> OffsetEstimate {
    var path = SimulatedPath(seed: 10)
    var estimator = SyncEstimator()
    for number in 0..<exchanges {
      if let exchange = path.exchange(at: 100 + Double(number) * 0.1) { estimator.add(exchange) }
    }
    return try #require(estimator.estimate)
  }

  /// The far clock's own map.
  static func far(generation: UInt32, shift: Duration = .zero) -> ClockMap {
    ClockMap(
      session: id, generation: generation, hostAnchor: HostInstant(nanoseconds: 7_300_000_000_000),
      sharedAnchor: .sessionStart + shift, skew: .zero, jitterBoundNanoseconds: 0,
      pathLimitNanoseconds: 0, boundGrowth: .zero)
  }
}
