import PeerCore
import TestLanes
import Testing
import Units

@Suite("Exchanges that cannot be", .computing)
struct ContradictionTests {
  /// Half a minute of a quiet path.
  static func settled(seed: UInt64) -> (SimulatedPath, SyncEstimator) {
    var path = SimulatedPath(seed: seed)
    var estimator = SyncEstimator()
    EstimatorTests.run(
      &path, at: EstimatorTests.start + bursts(from: 102, count: 30, every: 1), into: &estimator)
    return (path, estimator)
  }

  static func exchange(on path: inout SimulatedPath, at instant: Double) throws -> SyncExchange {
    let exchange = path.exchange(at: instant)
    return try #require(exchange)
  }

  /// The same exchange with the other clock set on by `jump`.
  static func shifted(_ exchange: SyncExchange, by jump: Duration) -> SyncExchange {
    SyncExchange(
      t1: exchange.t1, t2: exchange.t2 + jump, t3: exchange.t3 + jump, t4: exchange.t4,
      receiveKind: exchange.receiveKind, transmitKind: exchange.transmitKind)
  }

  @Test(
    "one wild exchange changes nothing",
    arguments: [Duration.milliseconds(-5000), .milliseconds(-1), .milliseconds(1), .seconds(5000)])
  func wild(jump: Duration) throws {
    var (path, estimator) = Self.settled(seed: 21)
    let before = try #require(estimator.estimate)
    let exchange = try Self.exchange(on: &path, at: 132)
    let restart = estimator.add(Self.shifted(exchange, by: jump))
    #expect(restart == nil)
    #expect(estimator.estimate == before)
    EstimatorTests.run(&path, at: bursts(from: 133, count: 5, every: 1), into: &estimator)
    #expect(abs(path.error(of: try #require(estimator.estimate), at: 138)) < 600)
  }

  @Test(
    "a jump of the other clock is followed after three exchanges",
    arguments: [Duration.milliseconds(-3), .milliseconds(1), .seconds(7000)])
  func jump(by jump: Duration) throws {
    var (path, estimator) = Self.settled(seed: 22)
    var restarts: [SyncEstimator.Restart?] = []
    for instant in bursts(from: 132, count: 4, every: 1) {
      let exchange = try Self.exchange(on: &path, at: instant)
      restarts.append(estimator.add(Self.shifted(exchange, by: jump)))
    }
    #expect(Array(restarts.prefix(3)) == [nil, nil, .contradiction])
    #expect(restarts.dropFirst(3).allSatisfy { $0 == nil })
    let error = path.error(of: try #require(estimator.estimate), at: 136)
    #expect(abs(error - jump.inSeconds * 1e9) < 2_000)
  }

  @Test("an exchange that leaves by a long path and returns by a short one waits for the next")
  func halfway() throws {
    var path = SimulatedPath(seed: 24)
    (path.shape.floorAhead, path.shape.floorBack) = (2_000_000, 2_000_000)
    var estimator = SyncEstimator()
    EstimatorTests.run(
      &path, at: EstimatorTests.start + bursts(from: 102, count: 30, every: 1), into: &estimator)
    let before = try #require(estimator.estimate)
    (path.shape.floorAhead, path.shape.floorBack) = (50_000, 50_000)
    let short = try Self.exchange(on: &path, at: 132)
    let late = Duration.milliseconds(2)
    let restart = estimator.add(
      SyncExchange(
        t1: short.t1, t2: short.t2 + late, t3: short.t3 + late, t4: short.t4 + late,
        receiveKind: short.receiveKind, transmitKind: short.transmitKind))
    #expect(restart == nil)
    #expect(estimator.estimate == before, "half of 2 ms would be error")
    _ = estimator.add(try Self.exchange(on: &path, at: 132.2))
    #expect(abs(path.error(of: try #require(estimator.estimate), at: 132.3)) < 10_000)
  }

  @Test("a fall of the path's floor is no contradiction and leaves the estimate alone")
  func floorFall() throws {
    var path = SimulatedPath(seed: 23)
    path.shape.floorAhead = 400_000
    path.shape.floorBack = 400_000
    var estimator = SyncEstimator()
    EstimatorTests.run(
      &path, at: EstimatorTests.start + bursts(from: 102, count: 40, every: 1), into: &estimator)
    path.shape.floorAhead = 50_000
    path.shape.floorBack = 50_000
    for instant in bursts(from: 142, count: 3, every: 1) {
      let exchange = try Self.exchange(on: &path, at: instant)
      let restart = estimator.add(exchange)
      #expect(restart == nil)
    }
    let estimate = try #require(estimator.estimate)
    #expect(abs(path.error(of: estimate, at: 145)) < 1_500)
    #expect(estimate.floorRoundTripNanoseconds < 110_000)
  }

  @Test("readings near the ends of 36 years are exact to 10 ns too", arguments: [-1, 1])
  func extremes(sign: Int64) throws {
    var path = SimulatedPath(seed: 24)
    path.offset = sign * ((Int64(1) << 60) - 400_000_000_000)
    var estimator = SyncEstimator()
    var worst: Int64 = 0
    for instant in EstimatorTests.start {
      // The truth as a `Double` is too coarse here: the far clock runs like the near one.
      let own = HostInstant(nanoseconds: Int64(instant * 1e9))
      let other = HostInstant(nanoseconds: own.nanoseconds + path.offset)
      estimator.add(
        SyncExchange(
          t1: own, t2: other + .microseconds(20), t3: other + .microseconds(50),
          t4: own + .microseconds(70), receiveKind: .kernel, transmitKind: .kernel))
      let estimate = try #require(estimator.estimate)
      worst = max(worst, abs(estimate.offsetNanoseconds - path.offset))
    }
    #expect(worst <= 10)
    let beyond = HostInstant(nanoseconds: sign * (Int64(1) << 60))
    let origin = HostInstant(nanoseconds: 0)
    let impossible = SyncExchange(
      t1: origin, t2: beyond, t3: beyond, t4: origin, receiveKind: .kernel, transmitKind: .kernel)
    #expect(!impossible.isPlausible)
  }

  @Test("stamps that err by 0.2 us on a path of 0.1 us contradict nothing", arguments: 1...4)
  func conversionNoise(seed: UInt64) throws {
    let shape = SimulatedPath.Shape(
      floorAhead: 100, floorBack: 100, jitterAhead: 100, jitterBack: 100)
    var path = SimulatedPath(seed: seed, shape: shape)
    path.wanderNanoseconds = 5_000
    var noise = SeededGenerator(seed: seed)
    var estimator = SyncEstimator()
    for instant in EstimatorTests.start + bursts(from: 102, count: 100, every: 1) {
      let exchange = try Self.exchange(on: &path, at: instant)
      let error = Duration.nanoseconds(Int64(noise.nextUnit() * 400) - 200)
      let restart = estimator.add(Self.shifted(exchange, by: error))
      #expect(restart == nil, "at \(instant), seed \(seed)")
    }
    #expect(abs(path.error(of: try #require(estimator.estimate), at: 202)) < 400, "seed \(seed)")
  }

  @Test("replies that overtake one another count all the same")
  func reordered() throws {
    var path = SimulatedPath(seed: 25)
    var exchanges = (0..<400).compactMap { path.exchange(at: 100 + Double($0) * 0.1) }
    var straight = SyncEstimator()
    for exchange in exchanges { straight.add(exchange) }
    for place in stride(from: 0, to: exchanges.count - 2, by: 3) {
      exchanges.swapAt(place, place + 2)
    }
    var shuffled = SyncEstimator()
    for exchange in exchanges { shuffled.add(exchange) }
    let one = try #require(straight.estimate)
    let other = try #require(shuffled.estimate)
    #expect(abs(one.offsetNanoseconds - other.offsetNanoseconds) < 100)
    #expect(abs(path.error(of: other, at: 140)) < 600)
  }
}
