import BroadcastWave
import TestLanes
import Testing
import Units

@Suite("Timecode", .computing)
struct TimecodeTests {
  @Test("labels and frames of 29.97 drop-frame, where dropping shows")
  func dropFrame() throws {
    let rate = FrameRate.fps2997Drop
    #expect(rate.framesPerDay == 2_589_408)
    #expect(Timecode(frame: 1799, rate: rate).description == "00:00:59;29")
    #expect(Timecode(frame: 1800, rate: rate).description == "00:01:00;02")
    #expect(Timecode(frame: 17_982, rate: rate).description == "00:10:00;00")
    #expect(Timecode("00:04:00;01", rate: rate) == nil)
    #expect(Timecode("00:10:00;01", rate: rate)?.frame == 17_983)
    #expect(Timecode(frame: 2_589_408, rate: rate).frame == 0)
    #expect(Timecode(frame: -1, rate: rate).description == "23:59:59;29")
  }

  @Test("every frame of a day has one label and comes back from it", arguments: FrameRate.all)
  func roundTrip(rate: FrameRate) {
    // A stride that is coprime with every period of labels, and every frame around each minute.
    var frames = Array(stride(from: Int64(0), to: rate.framesPerDay, by: 101))
    for minute in 0..<Int64(1440) {
      let start = Timecode(
        hours: Int(minute / 60), minutes: Int(minute % 60), seconds: 59, frames: 0, rate: rate)!
      frames += (0..<rate.nominal + 4).map { start.frame + $0 }
    }
    var wrong = 0
    for frame in frames {
      let code = Timecode(frame: frame, rate: rate)
      let back = Timecode(
        hours: code.hours, minutes: code.minutes, seconds: code.seconds, frames: code.frames,
        rate: rate)
      if back?.frame != frame % rate.framesPerDay { wrong += 1 }
    }
    #expect(wrong == 0, "\(wrong) of \(frames.count) frames of \(rate)")
  }

  @Test(
    "a frame begins at its first sample and not one earlier", arguments: FrameRate.all,
    [44_100, 48_000, 96_000])
  func samples(rate: FrameRate, hertz: Int) {
    let sampleRate = SampleRate(hertz: hertz)
    var wrong = 0
    for frame in stride(from: Int64(1), to: rate.framesPerDay, by: 4999) {
      let first = Timecode(frame: frame, rate: rate).firstSample(sampleRate: sampleRate)
      let at = Timecode(sample: first, sampleRate: sampleRate, rate: rate)
      let before = Timecode(sample: first - 1, sampleRate: sampleRate, rate: rate)
      if at.frame != frame || before.frame != frame - 1 { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("rates are read as people write them, and nobody's rate is refused")
  func names() {
    #expect(FrameRate("23.98") == .fps23976)
    #expect(FrameRate("24000/1001") == .fps23976)
    #expect(FrameRate("29.97DF") == .fps2997Drop)
    #expect(FrameRate("29.97 ndf") == .fps2997)
    #expect(FrameRate("25") == .fps25)
    for text in ["29.98", "", "DF", "25DF", "24000", "-25"] {
      #expect(FrameRate(text) == nil, "\(text)")
    }
  }

  @Test("text that is no label is refused")
  func refusals() {
    for text in [
      "", "01:00:00", "24:00:00:00", "01:60:00:00", "01:00:60:00", "01:00:00:25", "+1:00:00:00",
      "01:00:00;00", "01;00:00:00", "a:b:c:d", "01:00:00:00:00", "99999999999999999999:0:0:0",
    ] {
      #expect(Timecode(text, rate: .fps25) == nil, "\(text)")
    }
    #expect(Timecode("12:39:59:00", rate: .fps23976)?.frame == 1_094_376)
  }
}
