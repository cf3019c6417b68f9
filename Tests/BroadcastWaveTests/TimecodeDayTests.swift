import BroadcastWave
import Glibc
import TestLanes
import Testing
import Units

/// Brute force over 24 hours, held against a counter that knows nothing of the formulas.
@Suite("Every timecode frame of a day", .computing)
struct TimecodeDayTests {
  /// Hours, minutes, seconds and frames that are counted up as a clockwork would.
  private struct Clockwork {
    let nominal: Int
    let dropped: Int
    var parts = (0, 0, 0, 0)

    mutating func step() {
      parts.3 += 1
      if parts.3 == nominal { parts = (parts.0, parts.1, parts.2 + 1, 0) }
      if parts.2 == 60 {
        parts = (parts.0, parts.1 + 1, 0, 0)
        if parts.1 == 60 { parts = (parts.0 + 1, 0, 0, 0) }
        if parts.1 % 10 != 0 { parts.3 = dropped }
      }
      if parts.0 == 24 { parts = (0, 0, 0, 0) }
    }
  }

  /// All frames at all rates with `RECORDER_EVERY_FRAME=1`, as `.ci/timecode` sets it; else two
  /// rates, each frame around each minute and some between.
  private static let isWhole = getenv("RECORDER_EVERY_FRAME") != nil
  private static let rates = isWhole ? FrameRate.all : [.fps23976, .fps2997Drop]

  @Test("has the label that counting gives it, and comes back from it", arguments: rates)
  func everyFrame(rate: FrameRate) {
    var clockwork = Clockwork(nominal: Int(rate.nominal), dropped: Int(rate.droppedLabels))
    let sampleRate = SampleRate(hertz: 48_000)
    var wrong = 0
    for frame in 0..<rate.framesPerDay {
      let parts = clockwork.parts
      clockwork.step()
      let isEdge = parts.2 == 0 && parts.3 < 6 || parts.2 == 59 && parts.3 > Int(rate.nominal) - 3
      guard Self.isWhole || isEdge || frame % 97 == 0 else { continue }
      let code = Timecode(frame: frame, rate: rate)
      let back = Timecode(
        hours: parts.0, minutes: parts.1, seconds: parts.2, frames: parts.3, rate: rate)
      let sample = code.firstSample(sampleRate: sampleRate)
      let isRight =
        (code.hours, code.minutes, code.seconds, code.frames) == parts && back?.frame == frame
        && Timecode(sample: sample, sampleRate: sampleRate, rate: rate).frame == frame
      if !isRight { wrong += 1 }
    }
    #expect(wrong == 0, "\(rate.name)")
    #expect(clockwork.parts == (0, 0, 0, 0), "a day of \(rate.name) has its frames")
  }
}
