import PeerCore
import Testing
import Units

@Suite("A host's hold on the timeline")
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
    #expect(after.jitterBoundNanoseconds == 0)
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
}

@Suite("The schedule of probes")
struct ProbeScheduleTests {
  @Test("40 probes in the first second, then bursts of eight, further and further apart")
  func stages() {
    let start = HostInstant(nanoseconds: 0)
    var schedule = ProbeSchedule(at: start)
    var sent: [Double] = []
    while schedule.nextProbe < start + .seconds(400) {
      let now = schedule.nextProbe
      sent.append(Double(now.nanoseconds) * 1e-9)
      schedule.sent(at: now, jitter: 1)
    }
    #expect(sent.filter { $0 < 1 }.count == 40)
    #expect(sent.filter { $0 >= 1 && $0 < 8 }.count == 48)
    #expect(sent.filter { $0 >= 300 }.count <= 32)
  }

  @Test("while a take is armed or rolling a burst comes every second")
  func fast() {
    var schedule = ProbeSchedule(at: HostInstant(nanoseconds: 0))
    schedule.setFast(true, at: HostInstant(nanoseconds: 0))
    var count = 0
    while schedule.nextProbe < HostInstant(nanoseconds: 100_000_000_000) {
      let now = schedule.nextProbe
      if now >= HostInstant(nanoseconds: 50_000_000_000) { count += 1 }
      schedule.sent(at: now, jitter: 0.5)
    }
    #expect(abs(count - 50 * 8) <= 32)
  }
}
