import Recording
import TestLanes
import Testing

@testable import CaptureEngine

@Suite("How a pointer moves", .computing)
struct PointerStepsTests {
  private let frame = 20_833.0
  private let line = StreamLine(
    count: 48_000, hostNanoseconds: 5_000_000_000, nanosecondsPerFrame: 20_833,
    boundNanoseconds: 1000, rateBound: 0)

  private func move(_ steps: inout PointerSteps, by frames: Int64, within time: Int64) -> Bool {
    steps.moved(by: frames, of: frame, within: time)
  }

  @Test("one that moves with each frame says when, unless the looks lie far apart")
  func frames() {
    var steps = PointerSteps()
    #expect(move(&steps, by: 1, within: 25_000))
    #expect(!move(&steps, by: 2, within: 25_001))
    #expect(!steps.areLarge && steps.wait(at: 48_000, now: 0, line: line) == 0)
  }

  @Test("one that was not seen to move three times in a row moves by packets")
  func packets() {
    var steps = PointerSteps()
    for _ in 0..<2 { steps.missed() }
    #expect(move(&steps, by: 1, within: 1000))
    for _ in 0..<2 { steps.missed() }
    #expect(!steps.areLarge)
    steps.missed()
    #expect(steps.areLarge)
    #expect(move(&steps, by: 48, within: 150_000))
    #expect(!move(&steps, by: 96, within: 150_001))
    #expect(steps.areLarge)
  }

  @Test("a packet is waited for from shortly before the line says that it can be there")
  func wait() {
    var steps = PointerSteps()
    for _ in 0..<3 { steps.missed() }
    #expect(steps.wait(at: 48_000, now: 5_000_000_000, line: line) == 0)
    _ = steps.moved(by: 96, of: frame, within: 30_000)
    _ = steps.moved(by: 48, of: frame, within: 30_000)
    // 48 frames are 999 984 ns.
    #expect(steps.wait(at: 48_000, now: 5_000_000_000, line: line) == 959_984)
    #expect(steps.wait(at: 48_000, now: 5_000_900_000, line: line) == 59_984)
    #expect(steps.wait(at: 48_000, now: 5_001_000_000, line: line) == 0)
    // A count that the line does not fit is waited for no longer than a packet takes.
    #expect(steps.wait(at: 96_000, now: 5_000_000_000, line: line) == 999_984)
    let unknown = StreamLine(
      count: 0, hostNanoseconds: 0, nanosecondsPerFrame: 20_833, boundNanoseconds: 0, rateBound: 0)
    #expect(steps.wait(at: 48_000, now: 5_000_000_000, line: unknown) == 0)
  }

  @Test("around the instant at which a packet can come one look follows the other")
  func naps() {
    var steps = PointerSteps()
    #expect(steps.nap(at: 48_000, now: 5_000_000_000, line: line) == 0 && steps.mostLooks == 32)
    for _ in 0..<3 { steps.missed() }
    // How large a packet is is not known yet.
    #expect(steps.nap(at: 48_000, now: 5_000_999_984, line: line) == 20 && steps.mostLooks == 160)
    _ = move(&steps, by: 48, within: 30_000)
    for (late, nap) in [(-80_001, 20), (-80_000, 0), (24_999, 0), (25_000, 20)] {
      let now = 5_000_999_984 + Int64(late)
      #expect(steps.nap(at: 48_000, now: now, line: line) == UInt32(nap), "\(late) ns")
    }
    let unknown = StreamLine(
      count: 0, hostNanoseconds: 0, nanosecondsPerFrame: 20_833, boundNanoseconds: 0, rateBound: 0)
    #expect(steps.nap(at: 48_000, now: 5_000_999_984, line: unknown) == 20)
  }

  @Test("who waited too long looks sooner the next time, and later again bit by bit")
  func tooLong() {
    var steps = PointerSteps()
    for _ in 0..<3 { steps.missed() }
    _ = move(&steps, by: 48, within: 30_000)
    let waits = [false, true, true, false].map { tooLong in
      steps.waited(tooLong: tooLong)
      return steps.wait(at: 48_000, now: 5_000_000_000, line: line)
    }
    #expect(waits == [959_984, 919_984, 839_984, 849_984])
    for _ in 0..<100 { steps.waited(tooLong: false) }
    #expect(steps.wait(at: 48_000, now: 5_000_000_000, line: line) == 959_984)
    for _ in 0..<100 { steps.waited(tooLong: true) }
    #expect(steps.wait(at: 48_000, now: 5_000_000_000, line: line) == 0)
  }

  @Test("one that had merely stood still for a while moves with each frame again")
  func stoodStill() {
    var steps = PointerSteps()
    for _ in 0..<3 { steps.missed() }
    #expect(move(&steps, by: 2, within: 40_000))
    #expect(!steps.areLarge)
  }
}
