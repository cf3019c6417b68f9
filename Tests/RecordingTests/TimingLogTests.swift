import FoundationEssentials
import Recording
import TestLanes
import Testing
import Units

@Suite("Timing log", .computing)
struct TimingLogTests {
  private func line(_ entry: TimingLogEntry) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(entry), as: UTF8.self)
  }

  private func entry(_ line: String) throws -> TimingLogEntry {
    try JSONDecoder().decode(TimingLogEntry.self, from: Data(line.utf8))
  }

  @Test("a clock's line is as the documents have it, and reads back the same")
  func clock() throws {
    let clock = TimingLogEntry.clock(
      TimingLogClock(
        frame: 48_000, host: HostInstant(nanoseconds: 12), shared: SharedInstant(nanoseconds: -3),
        jitterBoundNanoseconds: 4, pathLimitNanoseconds: 5, cardBoundNanoseconds: 6, cardPPM: 7.5,
        skewPPM: -8.25, generation: 9))
    let text = try line(clock)
    #expect(
      text == """
        {"card_bound_ns":6,"card_ppm":7.5,"frame":48000,"generation":9,"host_ns":12,\
        "jitter_bound_ns":4,"path_limit_ns":5,"shared_ns":-3,"skew_ppm":-8.25,"type":"clock"}
        """)
    #expect(try entry(text) == clock)
  }

  @Test("a gap, a marker and a summary read back the same")
  func others() throws {
    let entries: [TimingLogEntry] = [
      .gap(TimingLogGap(frame: 1, frames: 2, cause: "overrun", boundFrames: 3)),
      .marker(TimingLogMarker(frame: 4, text: "a \"word\"\n")),
      .stop(TimingLogStop(frame: 9, cause: "overrun", boundFrames: 2)),
      .summary(
        TimingLogSummary(
          frames: 5, t1: SharedInstant(nanoseconds: 6), lastShared: SharedInstant(nanoseconds: 5),
          gaps: 1, isComplete: false)),
    ]
    for wanted in entries { #expect(try entry(line(wanted)) == wanted) }
    #expect(try line(entries[2]).contains("\"type\":\"xrun\""))
  }

  @Test("a stop without a loss counts from the file's first frame")
  func stop() {
    let stop = StreamGap(index: 1009, frames: 0, boundFrames: 2, cause: .overrun)
    #expect(
      TimingLogStop(stop, from: SampleIndex(1000))
        == TimingLogStop(frame: 9, cause: "overrun", boundFrames: 2))
  }

  @Test("an entry of a later version is passed over, one with a hole is refused")
  func unknown() throws {
    #expect(try entry(#"{"type":"weather","rain":true}"#) == .other(type: "weather"))
    #expect(throws: DecodingError.self) { try entry(#"{"type":"gap","frame":1}"#) }
  }
}
