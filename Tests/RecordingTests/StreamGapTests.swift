import Recording
import TestLanes
import Testing
import Units

@Suite("Gaps", .computing)
struct StreamGapTests {
  private func gap(
    _ index: Int64, _ frames: Int64, bound: Int64 = 0, _ cause: StreamGap.Cause = .disconnected
  ) -> StreamGap {
    StreamGap(index: index, frames: frames, boundFrames: bound, cause: cause)
  }

  @Test("gaps that touch and have one cause are one gap")
  func joined() {
    let one = gap(10, 5)
    let whole = one.joined(with: gap(15, 3, bound: 48))
    #expect(whole?.index == 10 && whole?.frames == 8 && whole?.boundFrames == 48)
    #expect(whole?.end == SampleIndex(18))
    #expect(one.joined(with: gap(16, 3, bound: 48)) == nil)
    #expect(one.joined(with: gap(15, 3, .overrun)) == nil)
    let foundLate = StreamGap(
      index: 15, frames: 3, boundFrames: 1, cause: .disconnected, lostFrom: 2, lostTo: 9)
    #expect(one.joined(with: foundLate) == nil)
  }

  @Test("a file is told the part of a gap that lies in it")
  func clipped() throws {
    let whole = gap(100, 50, bound: 2)
    #expect(whole.clipped(from: 0, to: 1000) == whole)
    // Across T0, across T1, the first frame alone and the last frame alone.
    #expect(whole.clipped(from: 120, to: 1000) == gap(120, 30, bound: 2))
    #expect(whole.clipped(from: 0, to: 120) == gap(100, 20, bound: 2))
    #expect(whole.clipped(from: 149, to: 1000) == gap(149, 1, bound: 2))
    #expect(whole.clipped(from: 0, to: 101) == gap(100, 1, bound: 2))
    #expect(whole.clipped(from: 150, to: 1000) == nil)
    #expect(whole.clipped(from: 0, to: 100) == nil)
    // Two segments: each its own part, and nothing twice.
    let parts = [whole.clipped(from: 0, to: 130), whole.clipped(from: 130, to: 400)]
    #expect(parts.compactMap { $0?.frames }.reduce(0, +) == 50)
    let late = StreamGap(
      index: 100, frames: 50, boundFrames: 1, cause: .silentLoss, lostFrom: 40, lostTo: 60)
    let part = try #require(late.clipped(from: 120, to: 1000))
    #expect(part.lostFrom == 40 && part.lostTo == 60 && part.isFoundLate)
  }

  @Test("a log's entry counts from its file's first frame")
  func entry() {
    let plain = TimingLogGap(gap(100, 50, bound: 2, .overrun), from: SampleIndex(60))
    #expect(plain.frame == 40 && plain.frames == 50 && plain.boundFrames == 2)
    #expect(plain.cause == "overrun" && plain.lostFrom == nil && plain.lostTo == nil)
    let late = StreamGap(
      index: 100, frames: 50, boundFrames: 1, cause: .silentLoss, lostFrom: 40, lostTo: 90)
    let entry = TimingLogGap(late, from: SampleIndex(60))
    #expect(entry.lostFrom == 0 && entry.lostTo == 30 && entry.cause == "silent_loss")
  }

  @Test("a cause's words are written down and unlike")
  func words() {
    #expect(
      StreamGap.Cause.allCases.map(\.word) == [
        "not_read_in_time", "overrun", "suspended", "card_gone", "stalled", "silent_loss",
        "disk_too_slow",
      ])
    #expect(gap(1, 480, bound: 2, .overrun).words == "480 ± 2 frames were lost (overrun)")
    #expect(gap(1, 480, .notReadInTime).words == "480 frames were lost (not read in time)")
  }

  @Test("a stop's gap is parted from what had been lost without a word before it")
  func split() {
    let stop = gap(1000, 5000, bound: 3, .overrun)
    let silent = StreamGap(
      index: 0, frames: 4019, boundFrames: 2, cause: .silentLoss, lostFrom: 700, lostTo: 1400)
    let parts = stop.split(for: silent)
    #expect(
      parts == [
        StreamGap(
          index: 1000, frames: 4019, boundFrames: 2, cause: .silentLoss, lostFrom: 700,
          lostTo: 1000),
        gap(5019, 981, bound: 5, .overrun),
      ])
    #expect(parts.reduce(0) { $0 + $1.frames } == stop.frames)
    // What is not longer than the loss before it, is not known to have another part.
    for frames in [Int64(4018), 4019] {
      let short = gap(1000, frames, bound: 3, .overrun)
      #expect(short.split(for: silent) == [short])
    }
    #expect(gap(1000, 4020, .overrun).split(for: silent).map(\.frames) == [4019, 1])
    #expect(stop.split(for: gap(0, 0, .silentLoss)) == [stop])
  }

  @Test("a gap is announced once, and when it grows no more")
  func announced() {
    var ledger = GapLedger()
    var isNew = [ledger.add(gap(10, 5))]
    var given = [ledger.announce(upTo: SampleIndex(15))]
    isNew.append(ledger.add(gap(15, 5)))
    given.append(ledger.announce(upTo: SampleIndex(21)))
    given.append(ledger.announce(upTo: SampleIndex(99)))
    #expect(isNew == [true, false])
    #expect(given == [[], [gap(10, 10)], []])
    // What touches an announced gap is a gap of its own.
    isNew = [ledger.add(gap(20, 5)), ledger.add(gap(25, 5, .overrun))]
    given = [ledger.announce(upTo: SampleIndex(30)), ledger.announceAll()]
    #expect(isNew == [true, true])
    #expect(given == [[gap(20, 5)], [gap(25, 5, .overrun)]])
    #expect(ledger.ended.count == 3)
    ledger.forget(before: SampleIndex(25))
    #expect(ledger.all == [gap(25, 5, .overrun)])
    isNew = [ledger.add(gap(40, 1))]
    given = [ledger.announceAll()]
    #expect(isNew == [true] && given == [[gap(40, 1)]])
  }

  @Test("as many gaps are kept as there is room for, and one more drops the oldest")
  func limit() {
    var ledger = GapLedger()
    for number in 0..<Int64(GapLedger.mostGaps) { _ = ledger.add(gap(number * 10, 1)) }
    #expect(ledger.all.count == GapLedger.mostGaps)
    _ = ledger.announceAll()
    _ = ledger.add(gap(1_000_000, 1))
    #expect(ledger.all.count == GapLedger.mostGaps)
    #expect(ledger.all.first == gap(10, 1))
    let rest = ledger.announceAll()
    #expect(rest == [gap(1_000_000, 1)])
  }
}
