import PeerCore
import TestLanes
import Testing
import Units

@Suite("The estimator of another host's clock", .computing)
struct EstimatorTests {
  /// The start burst: 40 probes in a second.
  static let start = (0..<40).map { 100 + Double($0) * 0.025 }

  static func run(
    _ path: inout SimulatedPath, at instants: [Double], into estimator: inout SyncEstimator
  ) {
    for instant in instants {
      if let exchange = path.exchange(at: instant) { estimator.add(exchange) }
    }
  }

  @Test("one exchange gives an estimate within half its round trip")
  func single() throws {
    var path = SimulatedPath(seed: 1)
    var estimator = SyncEstimator()
    Self.run(&path, at: [100], into: &estimator)
    let estimate = try #require(estimator.estimate)
    let error = path.error(of: estimate, at: 100)
    #expect(abs(error) < Double(estimate.floorRoundTripNanoseconds) / 2)
    #expect(abs(error) <= Double(estimate.jitterBoundNanoseconds))
  }

  @Test("the start burst alone: under 3 us with kernel stamps", arguments: 1...30)
  func startBurst(seed: UInt64) throws {
    var path = SimulatedPath(seed: seed)
    path.ppm = 55
    var estimator = SyncEstimator()
    Self.run(&path, at: Self.start, into: &estimator)
    let estimate = try #require(estimator.estimate)
    #expect(abs(path.error(of: estimate, at: 101)) < 3_000, "seed \(seed)")
  }

  @Test("a minute of bursts: under 0.6 us, the rate within its ageing of 0.2 ppm", arguments: 1...8)
  func settled(seed: UInt64) throws {
    var path = SimulatedPath(seed: seed)
    var estimator = SyncEstimator()
    Self.run(
      &path, at: Self.start + bursts(from: 102, count: 60, every: 1), into: &estimator)
    let estimate = try #require(estimator.estimate)
    #expect(abs(path.error(of: estimate, at: 162)) < 600, "seed \(seed)")
    #expect(abs(estimate.skew.partsPerMillion - 37) < 0.25, "seed \(seed)")
    #expect(estimate.floorRoundTripNanoseconds < 45_000)
  }

  @Test(
    "load in one direction does no harm: the other way's floor is hit all the same",
    arguments: 1...8)
  func oneSidedLoad(seed: UInt64) throws {
    var path = SimulatedPath(seed: seed)
    path.shape.jitterAhead = 400_000
    var estimator = SyncEstimator()
    Self.run(
      &path, at: Self.start + bursts(from: 102, count: 120, every: 1), into: &estimator)
    let estimate = try #require(estimator.estimate)
    #expect(abs(path.error(of: estimate, at: 222)) < 15_000, "seed \(seed)")
  }

  @Test("wander of 5 us over two minutes is followed within 2 us", arguments: 1...4)
  func wander(seed: UInt64) throws {
    var path = SimulatedPath(seed: seed)
    path.wanderNanoseconds = 5_000
    var estimator = SyncEstimator()
    Self.run(&path, at: Self.start, into: &estimator)
    var worst = 0.0
    for second in 0..<400 {
      let at = 102 + Double(second)
      Self.run(&path, at: bursts(from: at, count: 1, every: 1), into: &estimator)
      guard second > 60 else { continue }
      worst = max(worst, abs(path.error(of: try #require(estimator.estimate), at: at + 0.5)))
    }
    #expect(worst < 2_000, "seed \(seed)")
  }

  @Test("30 % of loss changes nothing but the number of exchanges", arguments: 1...4)
  func loss(seed: UInt64) throws {
    var path = SimulatedPath(seed: seed)
    path.shape.loss = 0.3
    var estimator = SyncEstimator()
    Self.run(
      &path, at: Self.start + bursts(from: 102, count: 60, every: 1), into: &estimator)
    let estimate = try #require(estimator.estimate)
    #expect(abs(path.error(of: estimate, at: 162)) < 800, "seed \(seed)")
    #expect(estimate.exchangeCount < 450)
  }

  @Test("a minute without an answer costs 16 us, within the bound", arguments: 1...6)
  func holdover(seed: UInt64) throws {
    let (error, bound) = try Self.heldOver(wander: 5_000, seed: seed)
    #expect(error <= bound, "seed \(seed)")
    #expect(error < 16_000, "seed \(seed)")
    #expect(bound < 50_000, "seed \(seed)")
  }

  @Test("with steady oscillators it costs 1 us", arguments: 1...6)
  func steadyHoldover(seed: UInt64) throws {
    let (error, _) = try Self.heldOver(wander: 0, seed: seed)
    #expect(error < 1_000, "seed \(seed)")
  }

  /// The error and the jitter bound a minute after two minutes of bursts, in nanoseconds.
  static func heldOver(wander: Double, seed: UInt64) throws -> (error: Double, bound: Double) {
    var path = SimulatedPath(seed: seed)
    path.wanderNanoseconds = wander
    var estimator = SyncEstimator()
    let end = 222 + Double(seed) * 10
    run(&path, at: start + bursts(from: 102, count: Int(end) - 162, every: 1), into: &estimator)
    let estimate = try #require(estimator.estimate)
    return (abs(path.error(of: estimate, at: end)), path.jitterBound(of: estimate, at: end))
  }

  @Test("a rate that changes by 5 ppm is a surprise at the next burst, one that keeps is none")
  func surprise() throws {
    for change in [0.0, 5] {
      var path = SimulatedPath(seed: 7)
      var estimator = SyncEstimator()
      Self.run(
        &path, at: Self.start + bursts(from: 102, count: 60, every: 1), into: &estimator)
      let before = try #require(estimator.estimate)
      path.ppm += change
      path.offset -= Int64(change * 162_000)
      Self.run(&path, at: bursts(from: 192, count: 1, every: 1), into: &estimator)
      let after = try #require(estimator.estimate)
      #expect(before.isSurprised(by: after) == (change > 0))
    }
  }

  @Test("a path that becomes longer is learnt after its patience, and the error stays bounded")
  func floorRise() throws {
    var path = SimulatedPath(seed: 3)
    var estimator = SyncEstimator()
    Self.run(
      &path, at: Self.start + bursts(from: 102, count: 60, every: 1), into: &estimator)
    path.shape.floorAhead += 300_000
    path.shape.floorBack += 300_000
    var restarts: [SyncEstimator.Restart] = []
    for instant in bursts(from: 162, count: 60, every: 1) {
      if let exchange = path.exchange(at: instant), let restart = estimator.add(exchange) {
        restarts.append(restart)
      }
    }
    #expect(restarts == [.floorRose])
    let estimate = try #require(estimator.estimate)
    #expect(abs(path.error(of: estimate, at: 222)) < 1_500)
    #expect(estimate.floorRoundTripNanoseconds > 600_000)
  }

  @Test("better stamps replace worse at once; worse count only when the better dry up")
  func kinds() throws {
    var path = SimulatedPath(seed: 5)
    var estimator = SyncEstimator()
    path.shape.kind = .userSpace
    Self.run(&path, at: [100, 100.1, 100.2], into: &estimator)
    #expect(estimator.estimate?.stampKind == .userSpace)
    path.shape.kind = .kernel
    Self.run(&path, at: [100.3], into: &estimator)
    #expect(estimator.estimate?.stampKind == .kernel)
    #expect(estimator.estimate?.exchangeCount == 1)
    path.shape.kind = .userSpace
    Self.run(&path, at: [101, 102, 103], into: &estimator)
    #expect(estimator.estimate?.stampKind == .kernel)
    Self.run(&path, at: [104, 104.5, 105, 105.2], into: &estimator)
    #expect(estimator.estimate?.stampKind == .kernel)
    Self.run(&path, at: [106], into: &estimator)
    #expect(estimator.estimate?.stampKind == .userSpace)
  }
}
