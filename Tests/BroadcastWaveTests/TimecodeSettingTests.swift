import BroadcastWave
import TestLanes
import Testing
import Units

@Suite("How a session counts timecode", .computing)
struct TimecodeSettingTests {
  private let rate = SampleRate(hertz: 48_000)

  /// A session whose anchor is at `secondOfDay` and a half, at summer time.
  private func session(secondOfDay: Int64, day: Int64 = 20_787) -> Session {
    Session(
      id: SessionID(high: 1, low: 2),
      anchorUnixNanoseconds: (day * 86_400 + secondOfDay - 7200) * 1_000_000_000 + 500_000_000,
      anchorErrorNanoseconds: 0, utcOffsetSeconds: 7200)
  }

  @Test(
    "settings are read back as they are written",
    arguments: [
      "25", "23.976", "29.97DF", "29.97NDF", "59.94DF free-run=10:00:00;00",
      "24 offset=-01:00:00:00", "30DF offset=00:00:00;02 user-bits=A1B2", "50 free-run=00:00:00:00",
    ])
  func text(text: String) throws {
    #expect(try #require(TimecodeSetting(text)).description == text)
  }

  @Test(
    "what is no setting is refused",
    arguments: [
      "", "26", "25 free-run=25:00:00:00", "25 offset", "25 offset=--01:00:00:00", "25 drop",
      "29.97DF offset=00:01:00;00", "25 user-bits=", "25 user-bits=123456789", "25 user-bits=xyz",
    ])
  func refused(text: String) { #expect(TimecodeSetting(text) == nil) }

  @Test("rates have the names that people write, and are read back", arguments: FrameRate.all)
  func names(rate: FrameRate) { #expect(FrameRate(rate.name) == rate) }

  @Test("free run begins at its label at the anchor, offset lies so far from the time of day")
  func modes() throws {
    let session = session(secondOfDay: 36_000)
    let at = { (text: String, instant: SharedInstant) in
      TimeReference.samples(
        at: instant, in: session, sampleRate: rate, timecode: try #require(TimecodeSetting(text)))
    }
    let later = session.anchor + .seconds(10)
    #expect(try at("25", later) == UInt64(36_010 * 48_000 + 24_000))
    #expect(try at("25 free-run=01:00:00:00", later) == 3610 * 48_000)
    #expect(try at("25 offset=-01:00:00:00", later) == UInt64(32_410 * 48_000 + 24_000))
    #expect(try at("25 offset=14:00:00:00", later) == UInt64(10 * 48_000 + 24_000))
    #expect(try at("25 free-run=23:59:59:00", later) == 9 * 48_000)
    // An hour of labels at 23.976 lasts 3603.6 s.
    #expect(
      try at("23.976 offset=01:00:00:00", later) - at("23.976", later) == UInt64(3_603_600 * 48))
  }

  @Test("user bits are the date unless they were set")
  func userBits() throws {
    let time = CivilTime(unixNanoseconds: 1_796_034_000_000_000_000, utcOffsetSeconds: 3600)
    #expect(TimecodeSetting.usual.userBits(on: time) == "30112600")
    let set = try #require(TimecodeSetting("25 user-bits=0000a1b2"))
    #expect(set.userBits(on: time) == "0000A1B2")
  }

  /// `instant` as a host sees it whose map was made so long after the session's beginning.
  private func known(
    _ instant: SharedInstant, in session: Session, since seconds: Int64, ppm: Double
  ) -> SharedInstant {
    let map = ClockMap(
      session: session.id, generation: 1, hostAnchor: HostInstant(nanoseconds: seconds * 7919),
      sharedAnchor: session.anchor + .seconds(seconds), skew: ClockRate(partsPerMillion: ppm),
      jitterBoundNanoseconds: 0, pathLimitNanoseconds: 0, boundGrowth: .zero)
    return map.shared(at: map.host(at: instant))
  }

  @Test(
    "the end of summer time within a session changes nothing: one offset a session",
    arguments: FrameRate.all)
  func summerTime(frameRate: FrameRate) {
    // 2026-10-24 23:00 in Central Europe; clocks go back five hours later.
    let session = session(secondOfDay: 82_800, day: 20_750)
    let before = TimeReference.samples(
      at: session.anchor, in: session, sampleRate: rate, frameRate: frameRate)
    let later = TimeReference.samples(
      at: session.anchor + .seconds(6 * 3600), in: session, sampleRate: rate, frameRate: frameRate)
    let span = TimeReference.advanced(
      before, by: 6 * 3600 * 48_000, sampleRate: rate, frameRate: frameRate)
    #expect(abs(Int64(span) - Int64(later)) <= 1)
    let civil = CivilTime(at: session.anchor + .seconds(6 * 3600), in: session)
    #expect(civil.dateText == "2026-10-25" && civil.timeText == "05:00:00")
  }

  @Test(
    "a host that joins hours later, or after a reboot, has the same TimeReference to the sample")
  func joiners() {
    let session = session(secondOfDay: 30_000)
    let t0 = session.anchor + .seconds(5 * 3600)
    for frameRate in FrameRate.all {
      let found = [
        known(t0, in: session, since: 0, ppm: 0), known(t0, in: session, since: 14_400, ppm: 37.5),
        known(t0, in: session, since: 18_000, ppm: -62),
      ].map { seen in
        TimeReference.samples(at: seen, in: session, sampleRate: rate, frameRate: frameRate)
      }
      #expect(Set(found).count == 1, "\(frameRate.name): \(found)")
    }
  }

  @Test("samples go on across the end of the timecode day, at every rate", arguments: FrameRate.all)
  func advancing(frameRate: FrameRate) {
    let rate = SampleRate(hertz: 44_100)
    let dayNumerator =
      Int128(44_100) * Int128(frameRate.framesPerDay) * Int128(frameRate.denominator)
    let day = UInt64((dayNumerator + Int128(frameRate.numerator) - 1) / Int128(frameRate.numerator))
    let counts: [Int64] = [1, 44_100, 3_810_240_000, 3_969_000_000]
    for frames in counts {
      let next = TimeReference.advanced(
        day - 1, by: frames, sampleRate: rate, frameRate: frameRate)
      #expect(next < day)
      let distance = (Int64(next) - Int64(day - 1) - frames) % Int64(day)
      // A day that is no whole number of samples is rounded once.
      #expect(min(abs(distance), Int64(day) - abs(distance)) <= 1, "\(frameRate.name) \(frames)")
    }
    #expect(
      TimeReference.advanced(1000, by: 44_100, sampleRate: rate, frameRate: frameRate) == 45_100)
  }
}
