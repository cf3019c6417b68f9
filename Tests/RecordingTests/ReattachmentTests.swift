import Recording
import TestLanes
import Testing
import Units

@Suite("A stream that begins anew", .computing)
struct ReattachmentTests {
  /// What is inferred of a stop of `lost` frames, and whether it is within its bound.
  private func stop(
    _ kind: SimulatedPointer.Kind, seed: UInt64, slept: Int64 = 0
  ) throws -> (error: Int64, bound: Int64) {
    var pointer = SimulatedPointer(seed: seed)
    pointer.partsPerMillion = Double(seed % 200) - 100
    pointer.kind = kind
    var clock = SampleClock(rate: pointer.rate, started: pointer.started)
    let age = 4 + Double(seed % 17)
    pointer.observe(&clock, from: 0, to: age)
    let line = try #require(clock.streamLine)
    // So many frames were read; then the stream stops, and begins anew `pause` later.
    let count = Int64(age * 48_000) - 300
    let pause = 0.02 + pointer.generator.nextUnit() * 5
    let grid = (pointer.count(at: age + pause)).rounded(.down)
    var between = Reattachment(line: line, count: count, sleptNanoseconds: slept)
    var at = age + pause + 0.001
    for _ in 0..<Reattachment.wantedLooks {
      at += 0.0007 + pointer.generator.nextUnit() * 0.0003
      let (reached, stamp) = pointer.glance(at: at)
      between.look(
        available: max(0, reached - Int64(grid)),
        hostNanoseconds: Int64(stamp.rounded(.up)) - slept)
    }
    let (frames, bound) = between.gap
    return (frames - (Int64(grid) - count), bound)
  }

  @Test(
    "the length that is inferred is within its bound in 99 of 100 cases",
    arguments: [SimulatedPointer.Kind.frames, .packets])
  func bound(kind: SimulatedPointer.Kind) throws {
    var broken = 0
    var widest: Int64 = 0
    for seed in UInt64(0)..<300 {
      let (error, bound) = try stop(kind, seed: seed)
      if abs(error) > bound { broken += 1 }
      widest = max(widest, bound)
    }
    #expect(broken <= 3, "of seeds 0 to 299")
    #expect(widest <= (kind == .frames ? 3 : 30), "\(widest) frames")
  }

  @Test("what the host's clock did not count is counted")
  func slept() throws {
    let (error, bound) = try stop(.frames, seed: 5, slept: 3_600_000_000_000)
    #expect(abs(error) <= bound)
  }

  @Test("a stream without frames tells nothing, and few looks leave a period open")
  func few() {
    let line = StreamLine(
      count: 0, hostNanoseconds: 1_000_000_000, nanosecondsPerFrame: 1e9 / 48_000,
      boundNanoseconds: 2000, rateBound: 0)
    var between = Reattachment(line: line, count: 0, sleptNanoseconds: 0)
    between.look(available: 0, hostNanoseconds: 2_000_000_000)
    #expect(between.looks == 0 && between.gap == (0, 0))
    between.look(available: 480, hostNanoseconds: 2_000_000_000)
    #expect(between.gap.frames == 47_520)
    #expect(between.gap.boundFrames >= 480 && between.gap.boundFrames < 500)
    // More frames than can have passed: nothing was lost.
    between.look(available: 60_000, hostNanoseconds: 2_000_010_000)
    #expect(between.gap.frames == 0)
  }
}
