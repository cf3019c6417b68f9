import PeerCore
import TestLanes
import Testing
import Units

@Suite("What the bounds promise", .computing)
struct BoundTests {
  /// A network, and how well clocks must agree across it; all figures in nanoseconds.
  struct Network: Sendable, CustomTestStringConvertible {
    let name: String
    let shape: SimulatedPath.Shape
    /// The errors' median and 99th percentile, from 15 s on.
    let median: Double
    let worst: Double
    var testDescription: String { name }
  }

  static let networks = [
    Network(
      name: "a cable, idle", shape: .init(jitterAhead: 1_000, jitterBack: 1_000),
      median: 150, worst: 400),
    Network(name: "a cable and a switch", shape: .init(), median: 250, worst: 1_000),
    Network(
      name: "a busy cable",
      shape: .init(busyShareAhead: 0.3, busyShareBack: 0.3, busyAhead: 15_000, busyBack: 15_000),
      median: 350, worst: 1_200),
    Network(
      name: "Wi-Fi",
      shape: .init(
        floorAhead: 800_000, floorBack: 800_000, jitterAhead: 30_000, jitterBack: 30_000,
        busyShareAhead: 0.7, busyShareBack: 0.7, busyAhead: 1_500_000, busyBack: 1_500_000,
        loss: 0.02),
      median: 4_000, worst: 20_000),
    Network(
      name: "crowded Wi-Fi",
      shape: .init(
        floorAhead: 1_000_000, floorBack: 1_000_000, jitterAhead: 70_000, jitterBack: 70_000,
        busyShareAhead: 0.95, busyShareBack: 0.95, busyAhead: 6_000_000, busyBack: 6_000_000,
        loss: 0.3),
      median: 80_000, worst: 250_000),
    Network(
      name: "Wi-Fi loaded in one direction",
      shape: .init(
        floorAhead: 800_000, floorBack: 800_000, jitterAhead: 30_000, jitterBack: 30_000,
        busyShareAhead: 0.95, busyShareBack: 0.3, busyAhead: 5_000_000, busyBack: 500_000,
        loss: 0.02),
      median: 2_000, worst: 15_000),
  ]

  /// Errors and bounds ten times a second from 15 s to 95 s, with wandering oscillators.
  static func measure(
    _ shape: SimulatedPath.Shape, seed: UInt64, wander: Double = 5_000, period: Double = 120
  ) -> [(error: Double, bound: Double)] {
    var path = SimulatedPath(seed: seed, shape: shape)
    path.ppm = Double(seed % 9) * 10 - 40
    path.wanderNanoseconds = wander
    path.wanderPeriod = period
    var estimator = SyncEstimator()
    for instant in EstimatorTests.start {
      if let exchange = path.exchange(at: instant) { estimator.add(exchange) }
    }
    var readings: [(error: Double, bound: Double)] = []
    for instant in bursts(from: 101, count: 95, every: 1) {
      if let exchange = path.exchange(at: instant) { estimator.add(exchange) }
      guard instant > 115, let estimate = estimator.estimate else { continue }
      let at = instant + 0.07
      readings.append(
        (abs(path.error(of: estimate, at: at)), path.jitterBound(of: estimate, at: at)))
    }
    return readings
  }

  @Test(
    "the jitter bound holds in 99 of 100 readings and is not absurdly wide", arguments: networks)
  func jitterBound(network: Network) {
    let readings = (UInt64(1)...6).flatMap { Self.measure(network.shape, seed: $0) }
    let held = readings.count { $0.error <= $0.bound }
    #expect(Double(held) >= 0.99 * Double(readings.count), "\(held) of \(readings.count)")
    let errors = readings.map(\.error).sorted()
    let bounds = readings.map(\.bound).sorted()
    let (median, high) = (errors[errors.count / 2], errors[errors.count * 95 / 100])
    #expect(bounds[bounds.count / 2] <= 5 * high)
    #expect(median < network.median)
    #expect(errors[errors.count * 99 / 100] < network.worst)
  }

  @Test("a radio that holds packets back until its beacon does not pass for restless oscillators")
  func powerSave() {
    let shape = SimulatedPath.Shape(
      floorAhead: 800_000, floorBack: 800_000, jitterAhead: 70_000, jitterBack: 70_000,
      busyShareAhead: 0.95, busyShareBack: 0.3, busyAhead: 50_000_000, busyBack: 800_000)
    let readings = (UInt64(1)...6).flatMap { Self.measure(shape, seed: $0) }
    let errors = readings.map(\.error).sorted()
    #expect(errors[errors.count / 2] < 25_000)
    #expect(errors[errors.count * 99 / 100] < 80_000)
    #expect(readings.count { $0.error <= $0.bound } * 100 >= 99 * readings.count)
  }

  @Test(
    "crystals that swing by 1 ppm within a minute: 3 us, and the bound holds all the same",
    arguments: [40.0, 60, 80])
  func swing(period: Double) {
    let wander = 1_000 * period / (2 * Double.pi)
    let shape = SimulatedPath.Shape(
      busyShareAhead: 0.3, busyShareBack: 0.3, busyAhead: 15_000, busyBack: 15_000)
    let readings = (UInt64(1)...6).flatMap {
      Self.measure(shape, seed: $0, wander: wander, period: period)
    }
    let held = readings.count { $0.error <= $0.bound }
    #expect(Double(held) >= 0.99 * Double(readings.count), "\(held) of \(readings.count)")
    let errors = readings.map(\.error).sorted()
    let bounds = readings.map(\.bound).sorted()
    #expect(errors[errors.count * 99 / 100] < 3_000)
    #expect(bounds[bounds.count / 2] <= 5 * errors[errors.count * 95 / 100])
  }

  @Test("asymmetry is invisible, so the whole bound holds always", arguments: 1...6)
  func asymmetry(seed: UInt64) {
    let shape = SimulatedPath.Shape(
      floorAhead: 1_100_000, floorBack: 800_000, jitterAhead: 30_000, jitterBack: 30_000,
      busyShareAhead: 0.7, busyShareBack: 0.7, busyAhead: 1_500_000, busyBack: 1_500_000)
    for reading in Self.measure(shape, seed: seed) {
      #expect(reading.error > 100_000, "half of 300 us is there, whatever is done")
      #expect(reading.error <= reading.bound + 950_000)
    }
  }

  @Test("stamps in user space, 7 and 24 us late: 10 us, and the bound says so", arguments: 1...8)
  func userSpace(seed: UInt64) throws {
    var path = SimulatedPath(seed: seed)
    path.shape.kind = .userSpace
    path.shape.userDelayOwn = 7_000
    path.shape.userDelayOther = 24_000
    var estimator = SyncEstimator()
    EstimatorTests.run(&path, at: EstimatorTests.start, into: &estimator)
    let first = try #require(estimator.estimate)
    #expect(abs(path.error(of: first, at: 101)) < 12_000, "seed \(seed)")
    EstimatorTests.run(&path, at: bursts(from: 102, count: 30, every: 1), into: &estimator)
    let later = try #require(estimator.estimate)
    let error = abs(path.error(of: later, at: 132))
    #expect(error < 10_000, "seed \(seed)")
    #expect(error <= path.jitterBound(of: later, at: 132), "seed \(seed)")
  }

  @Test("from the first exchange on the whole bound holds", arguments: 1...40)
  func young(seed: UInt64) throws {
    let network = Self.networks[Int(seed) % Self.networks.count]
    var path = SimulatedPath(seed: seed, shape: network.shape)
    path.ppm = 80
    var estimator = SyncEstimator()
    for instant in EstimatorTests.start {
      if let exchange = path.exchange(at: instant) { estimator.add(exchange) }
      guard let estimate = estimator.estimate else { continue }
      let whole =
        path.jitterBound(of: estimate, at: instant + 0.02) + Double(estimate.pathLimitNanoseconds)
      #expect(abs(path.error(of: estimate, at: instant + 0.02)) <= whole, "seed \(seed)")
    }
  }
}
