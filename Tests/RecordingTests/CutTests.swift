import Recording
import TestLanes
import Testing
import Units

@Suite("Cut", .computing)
struct CutTests {
  static let session = SessionID(high: 1, low: 2)
  /// Shared time runs 35 ppm faster than this host's clock, and reads 5 s when that reads 7000 s.
  let map = ClockMap(
    session: session, generation: 1, hostAnchor: HostInstant(nanoseconds: 7_000_000_000_000),
    sharedAnchor: SharedInstant(nanoseconds: 5_000_000_000),
    skew: ClockRate(partsPerMillion: 35), jitterBoundNanoseconds: 4000,
    pathLimitNanoseconds: 30_000, boundGrowth: ClockRate(partsPerMillion: 0.1))

  private func seen(_ pointer: inout SimulatedPointer, seconds: Double) -> SampleClock {
    var clock = SampleClock(rate: pointer.rate, started: pointer.started)
    pointer.observe(&clock, from: 0, to: seconds)
    return clock
  }

  @Test("the first frame is the one nearest to T0, and the last the one nearest to T1")
  func exact() throws {
    for seed in UInt64(0)..<20 {
      var pointer = SimulatedPointer(seed: seed)
      pointer.partsPerMillion = -62.25
      let cut = Cut(clock: seen(&pointer, seconds: 12), map: map)
      let t0 = SharedInstant(nanoseconds: 9_010_000_000)
      let beginning = try #require(
        cut.beginning(
          at: t0, oldest: SampleIndex(0), end: SampleIndex(576_000), spare: FrameCount(9600)))
      #expect(beginning.isWhole, "seed \(seed)")
      let truth = pointer.time(of: beginning.first)
      let wanted = Double(map.host(at: t0).nanoseconds)
      // Half a frame by rounding, and a tenth for what the clock leaves open.
      #expect(abs(truth - wanted) < 0.6 * 1e9 / 48_000, "seed \(seed)")
      let end = try #require(cut.index(nearest: t0 + .seconds(4)))
      let crystal = 4e9 / (1 + 35e-6) / (1e9 / 48_000 / (1 - 62.25e-6))
      #expect(abs(Double((end - beginning.first).value) - crystal) <= 1, "seed \(seed)")
      #expect(beginning.boundNanoseconds > 34_000)
      #expect(beginning.boundNanoseconds < 50_000)
    }
  }

  @Test("a T0 that is not taken yet gives nothing")
  func notYet() {
    var pointer = SimulatedPointer(seed: 1)
    let cut = Cut(clock: seen(&pointer, seconds: 5), map: map)
    let t0 = SharedInstant(nanoseconds: 15_000_000_000)
    #expect(
      cut.beginning(
        at: t0, oldest: SampleIndex(0), end: SampleIndex(240_000), spare: FrameCount(0)) == nil)
  }

  @Test("where the ring does not reach back to T0 the take begins with the oldest there is")
  func tooLate() throws {
    var pointer = SimulatedPointer(seed: 2)
    let cut = Cut(clock: seen(&pointer, seconds: 12), map: map)
    let t0 = SharedInstant(nanoseconds: 6_000_000_000)
    let beginning = try #require(
      cut.beginning(
        at: t0, oldest: SampleIndex(200_000), end: SampleIndex(576_000), spare: FrameCount(9600)))
    #expect(!beginning.isWhole)
    #expect(beginning.first == SampleIndex(209_600))
    #expect(
      abs(Double(beginning.host.nanoseconds) - pointer.time(of: SampleIndex(209_600))) < 10_000)
    // Before the stream's own beginning nothing was overwritten, so nothing is spared.
    let early = try #require(
      cut.beginning(
        at: SharedInstant(nanoseconds: 1_000_000_000), oldest: SampleIndex(0),
        end: SampleIndex(576_000), spare: FrameCount(9600)))
    #expect(early.first == SampleIndex(0))
    #expect(!early.isWhole)
  }

  @Test("a young stream is worth waiting for, unless T1 has come or the ring is going round")
  func patience() {
    var pointer = SimulatedPointer(seed: 3)
    let young = Cut(clock: seen(&pointer, seconds: 1.5), map: map)
    let end = SampleIndex(72_000)
    let t0 = SharedInstant(nanoseconds: 6_000_000_000)
    let zero = SampleIndex(0)
    #expect(young.pays(toWaitFrom: t0, t1: nil, oldest: zero, end: end))
    #expect(young.pays(toWaitFrom: t0, t1: t0 + .seconds(5), oldest: zero, end: end))
    #expect(!young.pays(toWaitFrom: t0, t1: t0 + .milliseconds(100), oldest: zero, end: end))
    #expect(!young.pays(toWaitFrom: t0, t1: nil, oldest: SampleIndex(1), end: end))
    #expect(
      !young.pays(toWaitFrom: t0 - .seconds(5), t1: nil, oldest: zero, end: end))
    let old = Cut(clock: seen(&pointer, seconds: 4), map: map)
    #expect(!old.pays(toWaitFrom: t0, t1: nil, oldest: zero, end: SampleIndex(192_000)))
  }
}
