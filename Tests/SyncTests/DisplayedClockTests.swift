import PeerCore
import TestLanes
import Testing
import Units

@Suite("The displayed clock", .computing)
struct DisplayedClockTests {
  static let start = HostInstant(nanoseconds: 5_000_000_000_000)
  static let session = SessionID(high: 3, low: 4)

  /// A map whose shared time is `offset` ns from the session's start at `anchor`.
  static func map(
    at anchor: HostInstant, offset: Int64, ppm: Double, generation: UInt32 = 1
  ) -> ClockMap {
    let elapsed = (anchor - start).wholeNanoseconds
    return ClockMap(
      session: session, generation: generation, hostAnchor: anchor,
      sharedAnchor: SharedInstant(
        nanoseconds: SharedInstant.sessionStart.nanoseconds + elapsed + offset),
      skew: ClockRate(partsPerMillion: ppm), jitterBoundNanoseconds: 0, pathLimitNanoseconds: 0,
      boundGrowth: .zero)
  }

  @Test(
    "whatever the estimates do, readings grow strictly and never faster than 500 ppm beyond them",
    arguments: UInt64(1)...20)
  func invariants(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var now = Self.start
    var clock = DisplayedClock(map: Self.map(at: now, offset: 0, ppm: 0), at: now)
    var last = clock.read(at: now)
    for _ in 0..<2_000 {
      // From 1 ns to a second between readings; estimates a hundred times apart from each other.
      let step = Int64(1) << Int64.random(in: 0...29, using: &generator)
      now = now + .nanoseconds(step)
      if Int.random(in: 0..<5, using: &generator) == 0 {
        let magnitude = Int64(1) << Int64.random(in: 0...23, using: &generator)
        let offset = Int64.random(in: -magnitude...magnitude, using: &generator)
        let ppm = Double.random(in: -100...100, using: &generator)
        clock.follow(Self.map(at: now, offset: offset, ppm: ppm), at: now)
      }
      let shown = clock.read(at: now)
      let gained = (shown - last).wholeNanoseconds - step
      #expect(shown > last, "seed \(seed)")
      #expect(abs(Double(gained)) <= Double(step) * 601e-6 + 2, "seed \(seed)")
      last = shown
    }
  }

  @Test("an error of 100 us is worked off within a second, without overshoot")
  func convergence() {
    var clock = DisplayedClock(map: Self.map(at: Self.start, offset: 0, ppm: 20), at: Self.start)
    let better = Self.map(at: Self.start, offset: 100_000, ppm: 20)
    clock.follow(better, at: Self.start)
    var left: Int64 = 100_000
    for tenth in 1...12 {
      let now = Self.start + .milliseconds(100 * tenth)
      let error = (better.shared(at: now) - clock.reading(at: now)).wholeNanoseconds
      #expect(error >= -1 && error <= left)
      left = error
    }
    #expect(left <= 1)
  }

  @Test("readings in the same nanosecond still differ")
  func sameInstant() {
    var clock = DisplayedClock(map: Self.map(at: Self.start, offset: 0, ppm: 0), at: Self.start)
    let readings = (0..<5).map { _ in clock.read(at: Self.start) }
    #expect(Set(readings).count == 5)
    #expect(readings == readings.sorted())
  }

  @Test("following an estimator across Wi-Fi, displayed time stays within the bound of the truth")
  func throughEstimator() throws {
    var path = SimulatedPath(seed: 31, shape: BoundTests.networks[3].shape)
    path.wanderNanoseconds = 5_000
    var estimator = SyncEstimator()
    var clock: DisplayedClock?
    var last: SharedInstant?
    for instant in EstimatorTests.start + bursts(from: 101, count: 60, every: 1) {
      guard let exchange = path.exchange(at: instant) else { continue }
      estimator.add(exchange)
      let estimate = try #require(estimator.estimate)
      let now = exchange.t4
      let map = ClockMap(
        session: Self.session, generation: 1, hostAnchor: now,
        sharedAnchor: SharedInstant(nanoseconds: estimate.other(at: now).nanoseconds),
        skew: estimate.skew, jitterBoundNanoseconds: estimate.jitterBoundNanoseconds,
        pathLimitNanoseconds: estimate.pathLimitNanoseconds, boundGrowth: estimate.boundGrowth)
      if clock == nil { clock = DisplayedClock(map: map, at: now) }
      clock?.follow(map, at: now)
      let reading = clock?.read(at: now)
      let shown = try #require(reading)
      if let last { #expect(shown > last) }
      last = shown
      let error = Double(shown.nanoseconds) - path.other(at: Double(now.nanoseconds))
      if instant > 104 { #expect(abs(error) < Double(map.boundNanoseconds(at: now))) }
    }
  }
}
