import BroadcastWave
import FoundationEssentials
import TakeAlignment
import TestLanes
import Testing

@Suite("Everything about a file", .computing)
struct InspectionTests {
  private static let host = SyntheticTake.Host(
    label: "b", offsetNanoseconds: 7300, stretchNanoseconds: 0)

  @Test("format, start, metadata, cues and the timing log with its bounds")
  func whole() throws {
    let take = SyntheticTake(seconds: 2)
    try take.write(Self.host, cues: [CuePoint(frame: 48_000, text: "clap")])
    let report = try FileInspector.inspect(take.path(Self.host))
    #expect(report.frames == UInt64(Self.host.seconds * 48_000))
    #expect(report.format.container == "RIFF" && report.format.sampleRateHertz == 48_000)
    #expect(report.start?.frameRate == "25/1 NDF" && report.start?.source == "bext")
    #expect(report.ixml?.scene == "scène <1>")
    #expect(report.cues.map(\.seconds) == [1])
    let log = try #require(report.timingLog)
    #expect(log.hasEnd && log.isComplete == true && log.gaps == 0)
    #expect(log.head?.frame == 0 && log.head?.boundNanoseconds == 2000)
    #expect(log.tail?.pathLimitNanoseconds == 8000)
    #expect(report.disagreements.isEmpty)
    // The take's log tells another TimeReference than its files.
    #expect(report.oddities.count == 1)
    let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    for key in ["\"sample_rate_hz\":48000", "\"bound_ns\":2000", "\"duration_s\":"] {
      #expect(json.contains(key), "\(key)")
    }
  }

  @Test("a log that was cut, and a take.json that counts otherwise, are said")
  func damage() throws {
    let take = SyntheticTake(seconds: 2)
    try take.write(Self.host)
    try take.save(
      Array(try take.load(take.logPath(Self.host)).dropLast(30)), to: take.logPath(Self.host))
    let name = take.path(Self.host).split(separator: "/").last ?? ""
    let text = "{\"files\":[\"\(name)\"],\"frames\":5,\"gaps\":0,\"complete\":true}"
    try take.save(Array(text.utf8), to: take.folder + "/b-0000.take.json")
    let report = try FileInspector.inspect(take.path(Self.host))
    #expect(report.takeSummary?.frames == 5)
    #expect(report.timingLog?.hasEnd == false)
    for words in ["middle of a line", "interrupted", "take.json counts 5 frames"] {
      #expect(report.oddities.contains { $0.contains(words) }, "\(words)")
    }
  }

  @Test("damaged lines within a log are passed over and told by their numbers")
  func damagedLines() throws {
    let take = SyntheticTake(seconds: 3)
    try take.write(Self.host)
    let whole = try #require(try FileInspector.inspect(take.path(Self.host)).timingLog)
    var lines = try take.load(take.logPath(Self.host)).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { Array($0) }
    let clocks = lines.indices.filter {
      String(decoding: lines[$0], as: UTF8.self).contains("\"type\":\"clock\"")
    }
    let place = clocks[1]
    lines[place] = [UInt8](repeating: 0, count: lines[place].count)
    try take.save(Array(lines.joined(separator: [10])), to: take.logPath(Self.host))
    let report = try FileInspector.inspect(take.path(Self.host))
    #expect(report.timingLog?.observations == whole.observations - 1)
    #expect(report.timingLog?.hasEnd == true, "what stands behind a damaged line counts")
    let words = "line \(place + 1) of the timing log is damaged and was passed over"
    #expect(report.oddities.contains(words), "\(report.oddities)")
  }

  @Test("what is no sound file is refused with what and why")
  func refusals() throws {
    let take = SyntheticTake(seconds: 1)
    try take.save(Array("no sound".utf8), to: take.folder + "/x.wav")
    #expect(throws: AlignmentError.isFolder(path: take.folder)) {
      try FileInspector.inspect(take.folder)
    }
    #expect(throws: AlignmentError.noSuchInput(path: take.folder + "/y.wav")) {
      try FileInspector.inspect(take.folder + "/y.wav")
    }
    #expect(throws: AlignmentError.self) { try FileInspector.inspect(take.folder + "/x.wav") }
  }
}
