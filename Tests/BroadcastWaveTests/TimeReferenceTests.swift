import BroadcastWave
import FoundationEssentials
import TestLanes
import Testing
import Units

@Suite("TimeReference", .computing)
struct TimeReferenceTests {
  /// A session whose anchor reads `secondOfDay` (and `rest` ns) in its civil time.
  private func session(secondOfDay: Int64, rest: Int64 = 0, offset: Int32 = 7200) -> Session {
    let day: Int64 = 20_787 * 86_400
    let unix = (day + secondOfDay - Int64(offset)) * 1_000_000_000 + rest
    return Session(
      id: SessionID(high: 1, low: 2), anchorUnixNanoseconds: unix, anchorErrorNanoseconds: 0,
      utcOffsetSeconds: offset)
  }

  @Test("12:39:59:00 at 23.976 and 48 kHz is 2 190 940 752: 2002 samples a frame")
  func film() {
    let session = session(secondOfDay: 45_599)
    let samples = TimeReference.samples(
      at: session.anchor, in: session, sampleRate: SampleRate(hertz: 48_000),
      frameRate: .fps23976)
    #expect(samples == 2_190_940_752)
    #expect(
      Timecode(sample: samples, sampleRate: SampleRate(hertz: 48_000), rate: .fps23976)
        .description == "12:39:59:00")
  }

  @Test(
    "at whole frame rates it is samples since the session's midnight", arguments: [44_100, 48_000])
  func wholeRates(hertz: Int) {
    let session = session(secondOfDay: 36_000, rest: 123_456_789)
    let t0 = session.anchor + .seconds(10) + .nanoseconds(876_543_211)
    for rate in [FrameRate.fps24, .fps25, .fps30, .fps50, .fps60] {
      let samples = TimeReference.samples(
        at: t0, in: session, sampleRate: SampleRate(hertz: hertz), frameRate: rate)
      #expect(samples == UInt64(36_011 * hertz))
    }
  }

  @Test("after midnight it begins again, and before the anchor it reaches back")
  func midnight() {
    let session = session(secondOfDay: 86_399)
    let rate = SampleRate(hertz: 48_000)
    let after = TimeReference.samples(
      at: session.anchor + .milliseconds(1010), in: session, sampleRate: rate, frameRate: .fps25)
    #expect(after == 480)
    let before = TimeReference.samples(
      at: session.anchor - .seconds(86_399) - .milliseconds(10), in: session, sampleRate: rate,
      frameRate: .fps25)
    #expect(before == 86_400 * 48_000 - 480)
  }

  @Test("96 kHz passes 2^32 after noon and keeps counting")
  func wide() {
    let session = session(secondOfDay: 50_000)
    let samples = TimeReference.samples(
      at: session.anchor, in: session, sampleRate: SampleRate(hertz: 96_000), frameRate: .fps25)
    #expect(samples == 4_800_000_000)
  }

  @Test("a label that dropping leaves out gives way to the minute's first one")
  func droppedLabel() {
    let session = session(secondOfDay: 60)
    let samples = TimeReference.samples(
      at: session.anchor, in: session, sampleRate: SampleRate(hertz: 48_000),
      frameRate: .fps2997Drop)
    // Frame 1800 begins at ceil(1800·1601.6) = 2 882 880.
    #expect(samples == 2_882_880)
  }

  @Test("it lies within the timecode day at every rate", arguments: FrameRate.all)
  func withinDay(frameRate: FrameRate) {
    let session = session(secondOfDay: 86_399, rest: 999_999_999)
    let rate = SampleRate(hertz: 44_100)
    let over = Int128(frameRate.numerator)
    let day = Int128(44_100) * Int128(frameRate.framesPerDay) * Int128(frameRate.denominator)
    for step in 0..<2000 {
      let samples = TimeReference.samples(
        at: session.anchor + .microseconds(step * 97_003), in: session, sampleRate: rate,
        frameRate: frameRate)
      #expect(Int128(samples) * over < day)
    }
  }

  @Test(
    "summer time that ends in a session, a host that joins hours later and one that was restarted",
    arguments: FrameRate.all)
  func oneOffset(frameRate: FrameRate) throws {
    // 2026-10-25, half past midnight in Berlin; at three o'clock clocks there are set back to two.
    let minted = Session(
      id: SessionID(high: 1, low: 2), anchorUnixNanoseconds: 1792881000_000_000_000,
      anchorErrorNanoseconds: 0, utcOffsetSeconds: 7200)
    // A host learns the session from others, or finds it in its state: the same values either way.
    let learnt = try JSONDecoder().decode(Session.self, from: try JSONEncoder().encode(minted))
    let t0 = minted.anchor + .seconds(4 * 3600)
    let rate = SampleRate(hertz: 48_000)
    let samples = [minted, learnt].map {
      TimeReference.samples(at: t0, in: $0, sampleRate: rate, frameRate: frameRate)
    }
    #expect(samples[0] == samples[1])
    #expect(CivilTime(at: t0, in: learnt).timeText == "04:30:00", "one offset, whatever clocks do")
    // What was recorded before and after that hour lies four hours apart, to the sample.
    let before = TimeReference.samples(
      at: minted.anchor, in: learnt, sampleRate: rate, frameRate: frameRate)
    #expect(samples[0] - before == 4 * 3600 * 48_000)
    let label = Timecode(sample: before, sampleRate: rate, rate: frameRate).description
    #expect(label.hasPrefix("00:30:00"), "\(label)")
  }

  @Test("civil time: date, time and offset, also over a new year and a leap day")
  func civilTime() {
    let leap = CivilTime(unixNanoseconds: 1_709_251_199_000_000_000, utcOffsetSeconds: 0)
    #expect(leap.dateText == "2024-02-29" && leap.timeText == "23:59:59")
    let year = CivilTime(unixNanoseconds: 1_798_757_999_000_000_000, utcOffsetSeconds: 3600)
    #expect(year.dateText == "2026-12-31" && year.timeText == "23:59:59")
    let before = CivilTime(unixNanoseconds: -1, utcOffsetSeconds: 0)
    #expect(before.dateText == "1969-12-31" && before.nanosecondsOfDay == 86_399_999_999_999)
  }
}
