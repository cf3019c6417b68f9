import Realtime
import Recording
import TestLanes
import Testing
import Units

@testable import CaptureEngine

@Suite("Following a stream", .computing)
struct StreamFollowerTests {
  private let rate = SampleRate(hertz: 48_000)
  private let started = HostInstant(nanoseconds: 5_000_000_000)

  private func stream() -> CaptureStream {
    CaptureStream(ring: FrameRing(capacity: 480_000, bytesPerFrame: 4), rate: rate)
  }

  /// Ten looks a second that see the pointer move, from second to second, at a crystal that is
  /// `fast`, as a fraction; `lost` frames are missing.
  private func look(
    _ stream: CaptureStream, from: Int, to: Int, fast: Double = 0, isStamped: Bool = true,
    lost: Int64 = 0
  ) {
    for tenth in from * 10..<to * 10 {
      let second = Double(tenth) / 10
      let count = (second * 48_000 * (1 + fast)).rounded(.up)
      let time = count / (48_000 * (1 + fast))
      let stamp = StreamStamp(
        count: Int64(count) - lost, hostNanoseconds: started.nanoseconds + Int64(time * 1e9),
        isStamped: isStamped, isEdge: true)
      stream.events.push(.stamp(stamp))
    }
  }

  private func follower(_ stream: CaptureStream) -> StreamFollower {
    StreamFollower(stream: stream, rate: rate, started: started)
  }

  @Test("a card that runs 0.2 % fast is flagged, once; one of 900 ppm is a crystal")
  func farOff() {
    for (fast, expected) in [(2e-3, 1), (-2e-3, 1), (9e-4, 0), (0, 0)] {
      let stream = stream()
      var follower = follower(stream)
      var flagged: [Double] = []
      for second in 0..<12 {
        look(stream, from: second, to: second + 1, fast: fast)
        for case .farFromNominal(let excess) in follower.follow() {
          flagged.append(excess.fraction)
        }
      }
      #expect(flagged.count == expected, "\(fast)")
      for excess in flagged { #expect(abs(excess - fast) < 40e-6) }
    }
  }

  @Test("a driver without stamps is told of after a hundred looks, once, and the bound is wider")
  func unstamped() throws {
    let (stream, other) = (stream(), stream())
    var follower = follower(stream)
    look(stream, from: 0, to: 9, isStamped: false)
    let news1 = follower.follow()
    #expect(news1 == [])
    look(stream, from: 9, to: 12, isStamped: false)
    let news2 = follower.follow()
    #expect(news2 == [.unstamped])
    look(stream, from: 12, to: 24, isStamped: false)
    let news3 = follower.follow()
    #expect(news3 == [])
    var stamped = self.follower(other)
    look(other, from: 0, to: 24)
    let news4 = stamped.follow()
    #expect(news4 == [])
    let index = SampleIndex(24 * 48_000)
    let wide = try #require(follower.clock.boundNanoseconds(at: index))
    let narrow = try #require(stamped.clock.boundNanoseconds(at: index))
    #expect(wide - narrow > 90_000 && wide - narrow < 110_000, "\(wide) and \(narrow)")
  }

  @Test("frames that are lost without a word are asked to be made up for, and counted once")
  func silentLoss() throws {
    let stream = stream()
    var follower = follower(stream)
    look(stream, from: 0, to: 8)
    let news5 = follower.follow()
    #expect(news5 == [] && !follower.isSuspicious)
    // More looks are asked for as soon as some are late, and no more once it is known why.
    look(stream, from: 8, to: 9, lost: 48)
    let early = follower.follow()
    #expect(early == [] && follower.isSuspicious && stream.repairs.pop() == nil)
    look(stream, from: 9, to: 12, lost: 48)
    let news6 = follower.follow()
    #expect(news6 == [])
    #expect(!follower.isSuspicious)
    let repair = try #require(stream.repairs.pop())
    #expect(abs(repair.frames - 48) <= repair.boundFrames && repair.cause == .silentLoss)
    #expect(repair.lostFrom <= 8 * 48_000 && repair.lostTo >= 8 * 48_000 - 4800 - 48)
    // Until the silence is in the ring, counts are of another line.
    let line = follower.clock.line
    look(stream, from: 12, to: 13, lost: 48)
    let news7 = follower.follow()
    #expect(news7 == [] && follower.clock.line == line)
    var gap = repair
    gap.index = 13 * 48_000 - 48
    stream.events.push(.gap(gap))
    let news8 = follower.follow()
    #expect(news8 == [.lost(gap, isPiece: false)])
    look(stream, from: 13, to: 20, lost: 48 - repair.frames)
    let news9 = follower.follow()
    #expect(news9 == [])
    #expect(stream.repairs.pop() == nil)
  }

  @Test("a gap that grows while it is looked at is one gap, not two that touch")
  func growing() {
    let stream = stream()
    var follower = follower(stream)
    func silence(_ frames: Int64, at index: Int64) {
      stream.events.push(
        .gap(StreamGap(index: index, frames: frames, boundFrames: 3, cause: .disconnected)))
      stream.ring.publishSilence(frames)
    }
    silence(2400, at: 0)
    _ = follower.follow()
    // The thread goes on between the events and the look at the ring.
    silence(2400, at: 2400)
    let early = follower.endedGaps()
    #expect(early == [])
    _ = follower.follow()
    _ = stream.ring.claim(480)
    stream.ring.publish(480)
    let half = follower.endedGaps()
    #expect(half == [])
    _ = follower.follow()
    let whole = follower.endedGaps()
    #expect(whole.map(\.frames) == [4800])
  }

  /// The newest line that the thread has been told.
  private func lastLine(_ stream: CaptureStream) -> StreamLine? {
    var line: StreamLine?
    while let next = stream.lines.pop() { line = next }
    return line
  }

  @Test(
    "a stop soon after a loss without a word is measured by the line of before both, and parted")
  func stopAfterLoss() throws {
    let lost: Int64 = 4019
    // So many seconds of late looks: too few to tell, enough at a stop, and found already.
    for (seconds, isTold) in [(0, false), (1, true), (3, true)] {
      let stream = stream()
      var follower = follower(stream)
      for second in 0..<8 {
        look(stream, from: second, to: second + 1)
        _ = follower.follow()
      }
      for second in 8..<8 + seconds {
        look(stream, from: second, to: second + 1, lost: lost)
        let news = follower.follow()
        #expect(news == [])
      }
      // By it the whole loss shows, not what is left of it between two lines.
      let line = try #require(lastLine(stream))
      let now = Double(8 + seconds) + 0.5
      let expected = now * 48_000
      let off = line.count(at: started.nanoseconds + Int64(now * 1e9)) - expected
      let bound = line.boundFrames(at: started.nanoseconds + Int64(now * 1e9))
      #expect(abs(off) < bound && bound < 3, "\(seconds) s: \(off) of \(bound)")
      let index = Int64(8 + seconds) * 48_000 - (seconds > 0 ? lost : 0)
      let stop = StreamGap(
        index: index, frames: 24_000 + lost, boundFrames: 3, cause: .overrun)
      stream.events.push(.gap(stop))
      let news = follower.follow()
      #expect(news.count == (isTold ? 2 : 1))
      let gaps = follower.ledger.all
      #expect(gaps.reduce(0) { $0 + $1.frames } == stop.frames)
      // What was asked for already lies before the stream's new beginning, by which the thread
      // knows that the stop's gap holds it.
      var asked = 0
      while let repair = stream.repairs.pop() {
        asked += 1
        #expect(repair.lostTo <= stop.end.value)
      }
      #expect(asked == (seconds == 3 ? 1 : 0))
      #expect(gaps.map(\.cause) == (isTold ? [.silentLoss, .overrun] : [.overrun]))
      guard isTold, let silent = gaps.first else { continue }
      #expect(abs(silent.frames - lost) <= silent.boundFrames && silent.boundFrames < 5)
      #expect(silent.lostFrom <= 8 * 48_000 && silent.lostTo <= index)
      #expect(follower.isSuspicious == false)
    }
  }
}
