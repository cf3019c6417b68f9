import TestLanes
import Testing
import Units

@testable import Commands

@Suite("Durations and times", .computing)
struct ValueTests {
  @Test(
    "durations as people write them",
    arguments: [
      ("3s", 3_000_000_000), ("500ms", 500_000_000), ("1m30s", 90_000_000_000),
      ("2", 2_000_000_000),
      ("1.5s", 1_500_000_000), ("0.000000001s", 1), ("-5s", -5_000_000_000),
      ("1h2m3.25s", 3_723_250_000_000), ("0s", 0), ("12us", 12_000), ("7ns", 7),
      ("366d", 31_622_400_000_000_000),
    ] as [(String, Int64)])
  func durations(text: String, nanoseconds: Int64) {
    #expect(DurationText.parse(text)?.wholeNanoseconds == nanoseconds)
  }

  @Test(
    "what is no duration",
    arguments: [
      "", "s", "-", "1x", "1s1m", "1s1s", "1m30", "--1s", "1..5s", ".5s", "1.s", " 1s", "1 s", "١s",
      "366d1s", "9999999999999999999s", "999999999999999999h", "1e3s", "nan",
    ])
  func noDurations(text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  @Test(
    "RFC 3339 times",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00Z", 951_825_600_000_000_000),
      ("2026-05-01T20:15:00+02:00", 1_777_659_300_000_000_000),
      ("2026-05-01t18:15:00.25z", 1_777_659_300_250_000_000),
      ("2026-05-01 18:15:00.1234567891Z", 1_777_659_300_123_456_789),
      ("1999-12-31T23:59:60Z", 946_684_800_000_000_000),
    ] as [(String, Int64)])
  func times(text: String, nanoseconds: Int64) {
    #expect(CivilDate.parse(text) == nanoseconds)
  }

  @Test(
    "what is no time",
    arguments: [
      "", "now", "2026-05-01", "2026-05-01T20:15:00", "2026-13-01T20:15:00Z",
      "2026-02-29T20:15:00Z", "2026-05-01T24:15:00Z", "2026-05-01T20:60:00Z",
      "2026-05-01T20:15:61Z", "2026-05-01T20:15:00.Z", "2026-05-01T20:15:00+2",
      "2026-05-01T20:15:00Zx", "1969-12-31T23:59:59Z", "2201-01-01T00:00:00Z",
    ])
  func noTimes(text: String) {
    #expect(CivilDate.parse(text) == nil)
  }

  @Test("the time of day in a zone, before 1970 too")
  func timeOfDay() {
    #expect(
      CivilDate.timeOfDay(unixNanoseconds: 3_723_004_000_000, offsetSeconds: 3600)
        == "02:02:03.004")
    #expect(CivilDate.timeOfDay(unixNanoseconds: -1_000_000, offsetSeconds: 0) == "23:59:59.999")
  }

  @Test("spans in words")
  func spans() {
    let cases: [(Duration, String)] = [
      (.milliseconds(250), "250 ms"), (.seconds(5), "5.0 s"), (.seconds(90), "1m30"),
      (.seconds(48 * 60), "48m"), (.seconds(13 * 3600 + 32 * 60), "13h32"),
      (.seconds(10 * 86_400), "10 days"), (.milliseconds(-1500), "−1.5 s"),
    ]
    for (duration, text) in cases { #expect(DurationText.short(duration) == text) }
  }

  @Test("figures in the unit that reads best")
  func figures() {
    #expect(Decimals.time(nanoseconds: 38_400) == "38 us")
    #expect(Decimals.time(nanoseconds: -812_000) == "−812 us")
    #expect(Decimals.time(nanoseconds: 1_260_000) == "1.3 ms")
    #expect(Decimals.time(nanoseconds: 640) == "640 ns")
    #expect(Decimals.bytes(12_400_000_000) == "12.4 GB")
    #expect(Decimals.bytes(0) == "0 kB")
    #expect(Decimals.text(-0.04, places: 1) == "0.0")
    #expect(Decimals.text(.nan, places: 1) == "–")
  }
}
