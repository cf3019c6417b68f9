import PeerCore
import TestLanes
import Testing
import Units

@Suite("From one coordinator to the next", .computing)
struct HandoverTests {
  static let later = SessionClockTests.later

  /// A clock that has followed a coordinator for long.
  static func following() throws -> SessionClock {
    var clock = SessionClock(at: HostInstant(nanoseconds: 0))
    clock.adopt(
      Session(
        id: SessionClockTests.id, anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0,
        utcOffsetSeconds: 0))
    clock.follow(
      SessionClockTests.far(generation: 1), through: try SessionClockTests.estimate(exchanges: 80),
      at: later)
    return clock
  }

  /// The map of a coordinator that has inherited a bound.
  static func successor(jitter: Int64) -> ClockMap {
    let map = SessionClockTests.far(generation: 1)
    return ClockMap(
      session: map.session, generation: map.generation, hostAnchor: map.hostAnchor,
      sharedAnchor: map.sharedAnchor, skew: map.skew, jitterBoundNanoseconds: jitter,
      pathLimitNanoseconds: 0, boundGrowth: .zero)
  }

  @Test("the map that is held keeps its line, and counts what the successor inherited once")
  func inherited() throws {
    var clock = try Self.following()
    let held = try #require(clock.map)
    let coarse = try SessionClockTests.estimate(exchanges: 1)
    clock.beginHandover()
    for _ in 0..<3 {
      clock.follow(Self.successor(jitter: 7_000), through: coarse, at: Self.later)
    }
    let map = try #require(clock.map)
    #expect(map.shared(at: Self.later) == held.shared(at: Self.later))
    #expect(map.boundNanoseconds(at: Self.later) == held.boundNanoseconds(at: Self.later) + 7_000)
    #expect(map.boundGrowth == held.boundGrowth)
  }

  @Test("once the handover is over the next estimate counts, however coarse")
  func over() throws {
    var clock = try Self.following()
    let held = try #require(clock.map)
    let coarse = try SessionClockTests.estimate(exchanges: 1)
    clock.beginHandover()
    clock.endHandover()
    clock.follow(Self.successor(jitter: 0), through: coarse, at: Self.later)
    let map = try #require(clock.map)
    #expect(map.boundNanoseconds(at: Self.later) > held.boundNanoseconds(at: Self.later))
  }

  @Test("a guess is not followed by who knows better, and is by who knows nothing")
  func guess() throws {
    var clock = try Self.following()
    let held = clock.map
    let known = try SessionClockTests.estimate(exchanges: 80)
    clock.follow(Self.successor(jitter: 1_000_000_000), through: known, at: Self.later)
    #expect(clock.map == held)
    clock.invalidate()
    clock.follow(Self.successor(jitter: 1_000_000_000), through: known, at: Self.later)
    #expect(try #require(clock.map).jitterBoundNanoseconds > 1_000_000_000)
  }

  @Test("an exchange that contradicts those before puts the estimate in doubt, from the first on")
  func doubt() {
    for count in [4, 40] {
      var path = SimulatedPath(seed: 11)
      var estimator = SyncEstimator()
      for number in 0..<count {
        if let exchange = path.exchange(at: 100 + Double(number) * 0.1) { estimator.add(exchange) }
      }
      #expect(!estimator.isDoubted)
      guard let exchange = path.exchange(at: 120) else { continue }
      // The far clock stood still for a third of a second.
      let slept = SyncExchange(
        t1: exchange.t1, t2: exchange.t2 - .milliseconds(333),
        t3: exchange.t3 - .milliseconds(333), t4: exchange.t4,
        receiveKind: exchange.receiveKind, transmitKind: exchange.transmitKind)
      estimator.add(slept)
      #expect(estimator.isDoubted, "after \(count) exchanges")
    }
  }
}
