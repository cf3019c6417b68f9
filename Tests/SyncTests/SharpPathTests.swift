import PeerCore
import TestLanes
import Testing
import Units

/// A wire between two hosts that do little else: a third of the packets take the same time to some
/// nanoseconds, in either direction.
@Suite("A path with a sharp floor", .computing)
struct SharpPathTests {
  static let wire = SimulatedPath.Shape(
    floorAhead: 250, floorBack: 250, jitterAhead: 5, jitterBack: 5, busyShareAhead: 0.5,
    busyShareBack: 0.5, busyAhead: 300, busyBack: 300)

  /// Errors and bounds from 15 s on, in nanoseconds, under oscillators that wander by 0.26 ppm.
  static func measure(
    seed: UInt64, count: Int = 95, shape: SimulatedPath.Shape = wire
  ) -> [(error: Double, bound: Double)] {
    var path = SimulatedPath(seed: seed, shape: shape)
    path.wanderNanoseconds = 5_000
    var estimator = SyncEstimator()
    EstimatorTests.run(&path, at: EstimatorTests.start, into: &estimator)
    var readings: [(error: Double, bound: Double)] = []
    for instant in bursts(from: 102, count: count, every: 1) {
      if let exchange = path.exchange(at: instant) { estimator.add(exchange) }
      guard instant > 115, let estimate = estimator.estimate else { continue }
      let at = instant + 0.07
      readings.append(
        (abs(path.error(of: estimate, at: at)), path.jitterBound(of: estimate, at: at)))
    }
    return readings
  }

  @Test("the error is a few nanoseconds, and the bound is honest and narrow", arguments: 1...6)
  func accuracy(seed: UInt64) {
    let readings = Self.measure(seed: seed)
    let errors = readings.map(\.error).sorted()
    let bounds = readings.map(\.bound).sorted()
    #expect(errors[errors.count / 2] < 15, "seed \(seed)")
    #expect(errors[errors.count * 99 / 100] < 90, "seed \(seed)")
    #expect(bounds[bounds.count / 2] < 100, "seed \(seed)")
    #expect(readings.count { $0.error <= $0.bound } * 100 >= 99 * readings.count, "seed \(seed)")
  }

  @Test(
    "lesser stamps never pass for sharp ones: what they hide three to one, the bound holds",
    arguments: [(StampKind.scheduled, 1_500.0), (.userSpace, 3_000)])
  func lesserStamps(kind: StampKind, most: Double) {
    var shape = Self.wire
    shape.kind = kind
    shape.floorAhead = 1_500
    shape.floorBack = 500
    let readings = Self.measure(seed: 1, shape: shape)
    #expect(readings.allSatisfy { $0.error > 400 && $0.error <= $0.bound })
    let bounds = readings.map(\.bound).sorted()
    #expect(bounds[0] > 500 && bounds[bounds.count / 2] < most)
  }

  @Test("on a longer path lesser stamps may hide all that their kind ever does")
  func lesserStampsFarAway() {
    var shape = Self.wire
    shape.kind = .scheduled
    shape.floorAhead = 50_000
    shape.floorBack = 50_000
    #expect(Self.measure(seed: 1, shape: shape).allSatisfy { $0.bound > 2_000 })
  }

  @Test(
    "the rate is kept when the network goes, and the bound holds for a minute", arguments: 1...6)
  func holdover(seed: UInt64) throws {
    var path = SimulatedPath(seed: seed, shape: Self.wire)
    var estimator = SyncEstimator()
    EstimatorTests.run(&path, at: EstimatorTests.start, into: &estimator)
    EstimatorTests.run(&path, at: bursts(from: 102, count: 40, every: 1), into: &estimator)
    let fresh = try #require(estimator.estimate)
    for after in stride(from: 142.0, through: 144, by: 0.1) {
      let error = abs(path.error(of: fresh, at: after))
      #expect(error <= path.jitterBound(of: fresh, at: after), "seed \(seed)")
    }
    let early = estimator.rest(at: HostInstant(nanoseconds: 142_000_000_000))
    let late = estimator.rest(at: HostInstant(nanoseconds: 145_000_000_000))
    #expect(!early && late)
    let estimate = try #require(estimator.estimate)
    #expect(fresh.boundGrowth < estimate.boundGrowth)
    for after in stride(from: 143.0, through: 202, by: 1) {
      let error = abs(path.error(of: estimate, at: after))
      #expect(error < 3_000, "seed \(seed)")
      #expect(error <= path.jitterBound(of: estimate, at: after), "seed \(seed)")
    }
  }

  @Test("a jump of the other clock is followed within a second", arguments: [-50_000, 50_000])
  func jump(nanoseconds: Int64) throws {
    var path = SimulatedPath(seed: 7, shape: Self.wire)
    var estimator = SyncEstimator()
    EstimatorTests.run(&path, at: EstimatorTests.start, into: &estimator)
    EstimatorTests.run(&path, at: bursts(from: 102, count: 40, every: 1), into: &estimator)
    path.offset += nanoseconds
    EstimatorTests.run(&path, at: bursts(from: 142, count: 1, every: 1), into: &estimator)
    let estimate = try #require(estimator.estimate)
    #expect(abs(path.error(of: estimate, at: 143)) < 1_000)
    #expect(abs(path.error(of: estimate, at: 143)) <= path.jitterBound(of: estimate, at: 143))
  }
}
