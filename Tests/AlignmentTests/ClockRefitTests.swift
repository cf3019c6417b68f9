import Alignment
import TestLanes
import Testing
import Units

@Suite("Refitting a clock from its log", .computing)
struct ClockRefitTests {
  /// Eight exchanges a second whose packets wait by chance, one way more than the other.
  private func exchanges(
    seconds: Int, seed: UInt64, without outage: Range<Int> = 0..<0,
    offset: (Double) -> Double
  ) -> [ExchangePoint] {
    var generator = SeededGenerator(seed: seed)
    var points: [ExchangePoint] = []
    for probe in 0..<seconds * 8 where !outage.contains(probe / 8) {
      let t1 = Int64(probe) * 125_000_000 + 5_000_000_000
      func wait(_ mean: Double) -> Double { mean * generator.nextUnit() * generator.nextUnit() }
      let there = 30_000 + wait(80_000)
      let back = 30_000 + wait(20_000)
      let t2 = Double(t1) + there + offset(Double(probe) / 8)
      let t3 = t2 + 10_000
      let t4 = Double(t1) + there + 10_000 + back
      points.append(
        ExchangePoint(t1: t1, t2: Int64(t2), t3: Int64(t3), t4: Int64(t4)))
    }
    return points
  }

  private func worst(
    _ refit: ClockRefit, seconds: ClosedRange<Int>, offset: (Double) -> Double
  ) -> Double {
    seconds.reduce(0) { worst, second in
      let host = Int64(second) * 1_000_000_000 + 5_000_000_000
      return max(worst, abs(refit.offset(at: host) - offset(Double(second))))
    }
  }

  @Test("a steady clock is found within half a microsecond, whatever the load on one way")
  func steady() throws {
    let offset = { (second: Double) in 3.6e12 + 37_000 * second }
    let refit = try #require(ClockRefit(exchanges(seconds: 120, seed: 1, offset: offset)))
    let error = worst(refit, seconds: 2...118, offset: offset)
    #expect(error < 2000, "\(error) ns")
  }

  @Test("an outage of a minute is bridged from both of its sides")
  func outage() throws {
    let offset = { (second: Double) in -1e9 - 12_000 * second }
    let refit = try #require(
      ClockRefit(exchanges(seconds: 200, seed: 2, without: 70..<130, offset: offset)))
    let error = worst(refit, seconds: 2...198, offset: offset)
    #expect(error < 6000, "\(error) ns")
  }

  @Test("a crystal that warms up is followed")
  func wander() throws {
    let offset = { (second: Double) in 1e6 + 20_000 * second + 5 * second * second }
    let refit = try #require(ClockRefit(exchanges(seconds: 300, seed: 3, offset: offset)))
    let error = worst(refit, seconds: 2...298, offset: offset)
    #expect(error < 6000, "\(error) ns")
  }

  @Test("too few exchanges tell nothing")
  func few() {
    let points = exchanges(seconds: 1, seed: 4) { _ in 0 }
    #expect(ClockRefit(Array(points.prefix(7))) == nil && ClockRefit(points) != nil)
  }
}
