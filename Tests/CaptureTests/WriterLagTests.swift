import TestLanes
import Testing
import Units

@testable import CaptureEngine

@Suite("How far a writer is behind", .computing)
struct WriterLagTests {
  /// What is behind at each look, in frames, where `waiting` frames wait.
  private func told(_ waiting: [Int64]) -> (now: [Int64], most: Int64) {
    var lag = WriterLag()
    var next = Int64(1000)
    let now = waiting.map { count in
      next += 1
      lag.look(next: SampleIndex(next), allowed: SampleIndex(next + count))
      return lag.now.value
    }
    return (now, lag.most.value)
  }

  @Test("what a take begins with is no delay of the disk, and what comes on top is")
  func head() {
    // 2.3 s at 48 kHz wait when the files open, and are written in the next rounds.
    #expect(told([110_400, 80_000, 30_000, 0, 0]) == ([0, 0, 0, 0, 0], 0))
    // A disk that stalls from the first frame on.
    #expect(told([110_400, 120_000, 158_400]).now == [0, 9_600, 48_000])
    // Half of the head is written, then the disk stalls.
    #expect(told([110_400, 50_000, 98_000, 2_000, 50_000]) == ([0, 0, 48_000, 0, 48_000], 48_000))
  }

  @Test("a take that is yet to begin has nothing to write")
  func future() { #expect(told([-480_000, -9_600, 0, 9_600]) == ([0, 0, 0, 9_600], 9_600)) }

  @Test("files that are begun anew begin with what the ring holds")
  func anew() {
    var lag = WriterLag()
    func look(next: Int64, allowed: Int64) -> Int64 {
      lag.look(next: SampleIndex(next), allowed: SampleIndex(allowed))
      return lag.now.value
    }
    #expect(look(next: 500_000, allowed: 500_000) == 0)
    #expect(look(next: 509_600, allowed: 519_200) == 9_600)
    #expect(look(next: 48_000, allowed: 528_800) == 0)
    #expect(look(next: 528_800, allowed: 538_400) == 0)
    #expect(look(next: 528_800, allowed: 548_000) == 9_600)
    #expect(lag.most.value == 9_600)
  }
}
