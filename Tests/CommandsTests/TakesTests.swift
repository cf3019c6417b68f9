import Control
import FoundationEssentials
import Recording
import TestLanes
import Testing
import Units

@testable import Commands

@Suite("Commands about takes", .computing)
struct TakesTests {
  private func request(_ words: String...) throws -> ControlRequest {
    let line = try CommandLineParser.parse(words)
    let verb = try #require(ControlRequest.Verb(rawValue: line.command.name))
    var request = ControlRequest(verb)
    try TakeRequests.fill(&request, from: line)
    return request
  }

  @Test("what is asked stands in the request")
  func requests() throws {
    let scene = try request("scene", "拍 12A", "--project", "Zug", "--tape", "R7")
    #expect(scene.takeName == "拍 12A" && scene.project == "Zug" && scene.tape == "R7")
    let mark = try request("mark", "dog", "barks", "--at", "-5s")
    #expect(mark.text == "dog barks" && mark.leadNs == -5_000_000_000)
    #expect(try request("mark").text == "marker")
    #expect(
      try request("mark", "--at", "2026-05-01T20:15:00Z").atUnixNs == 1_777_666_500_000_000_000)
    let note = try request("note", "wind", "--take", "7b")
    #expect(note.text == "wind" && note.takeLabel == "7b" && note.takeName == nil)
    #expect(try request("circle", "7").takeLabel == "7")
    #expect(try request("circle").isCircled == true)
    #expect(try request("circle", "--off").isCircled == false)
    #expect(try TakesCommand.asksForSlate(CommandLineParser.parse(["scene", "--json"])))
    #expect(try !TakesCommand.asksForSlate(CommandLineParser.parse(["scene", "--tape", "x"])))
  }

  @Test("texts at their limit pass, one more is refused")
  func limits() throws {
    let scene = String(repeating: "s", count: TakePlan.longestName)
    #expect(try request("scene", scene).takeName == scene)
    #expect(throws: UsageError.self) { try request("scene", scene + "s") }
    #expect(throws: UsageError.self) { try request("scene", "a\nb") }
    let note = String(repeating: "n", count: TakeRemarks.longestNote)
    #expect(try request("note", note).text == note)
    #expect(throws: UsageError.self) { try request("note", note + "n") }
    #expect(throws: UsageError.self) { try request("mark", "--at", "soon") }
  }

  @Test(
    "file options are read with their ranges",
    arguments: [
      (["--bits", "8"], "16, 24, 32 or float"), (["--split", "4"], nil), (["--split", "0s"], "1s"),
      (["--split", "4GB"], nil), (["--split", "1KB"], "1MB"), (["--split", "1h30m"], nil),
      (["--timecode-rate", "29.98"], "29.97DF"), (["--timecode-rate", "29.97df"], nil),
      (["--timecode-mode", "offset=99:00:00:00"], "free-run"), (["--user-bits", "xyz"], "hexa"),
      (["--bits", "float", "--mono", "--plain-header", "--loudness"], nil),
    ])
  func fileOptions(words: [String], refusal: String?) throws {
    let line = try CommandLineParser.parse(["daemon"] + words)
    if let refusal {
      do {
        _ = try FileOptions(line: line)
        Issue.record("\(words) was taken")
      } catch { #expect("\(error)".contains(refusal), "\(error)") }
    } else {
      _ = try FileOptions(line: line)
    }
  }

  @Test("the session's timecode is written one way, however it was typed")
  func timecode() throws {
    let options = try FileOptions(
      line: try CommandLineParser.parse([
        "daemon", "--timecode-rate", "29.97 df", "--timecode-mode", "offset=-01:00:00:00",
        "--user-bits", "a1b2",
      ]))
    #expect(options.timecode == "29.97DF offset=-01:00:00;00 user-bits=A1B2")
    #expect(try FileOptions(line: try CommandLineParser.parse(["daemon"])).timecode == nil)
    #expect(SizeText.parse("4GiB") == 4_294_967_296 && SizeText.parse("4 gb") == 4_000_000_000)
    #expect(SizeText.parse("GB") == nil && SizeText.parse("99999999TB") == nil)
  }

  private func part(
    _ host: String, take: UInt64 = 1, number: Int = 7, t0: Int64 = 0, note: String? = nil,
    verdict: TakeSummary.Verdict = .whole
  ) -> HostTake {
    let plan = TakePlan(
      id: TakeID(high: take, low: 0), name: "Sz, \"12\"", number: number, project: "P", tape: nil)
    let start = SharedInstant.sessionStart + .seconds(t0)
    var summary = TakeSummary(
      take: plan, t0: start, t1: start + .seconds(2), files: ["\(host)_001.wav"], timingLogs: [],
      frames: 96_000, gaps: 0, isComplete: true, last: nil)
    summary.sampleRateHertz = 48_000
    summary.bits = 24
    summary.channels = 2
    summary.verdict = verdict
    summary.t0UnixNanoseconds = 1_777_666_500_000_000_000 + t0 * 1_000_000_000
    summary.utcOffsetSeconds = 7200
    summary.timecode = "22:15:00:00 at 25"
    summary.remarks = note.map { TakeRemarks(note: $0, isCircled: true) }
    return HostTake(
      summary, peer: PeerID(high: UInt64(host.utf8.count), low: take), label: host, folder: "/x")
  }

  @Test("a sound report has a line per file, quoted where it must be")
  func soundReport() {
    let report = TakesReport(
      book: nil, parts: [part("b"), part("a", note: "Wind\nund \"Regen\"")])
    let lines = SoundReport(report: report).lines
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("take,circled,scene,project,tape,date,start_time,"))
    #expect(
      lines[1]
        == "7,yes,\"Sz, \"\"12\"\"\",P,,2026-05-01,22:15:00.000+02:00,22:15:00:00 at 25,2.000,a,"
        + "a_001.wav,2,48000,24,0,whole,,0,\"Wind\nund \"\"Regen\"\"\",")
    #expect(lines[2].contains(",b,b_001.wav,"))
  }

  @Test("each file of a split take has its own start, length and channels in the report")
  func splitReport() {
    var part = part("a")
    part.files = ["a_01_001.wav", "a_02_001.wav", "a_01_002.wav", "a_02_002.wav"]
    part.firstFrames = [0, 0, 72_000, 72_000]
    part.tracks = [1, 2, 1, 2]
    part.timeReference = 80_100 * 48_000
    let lines = SoundReport(report: TakesReport(book: nil, parts: [part])).lines.dropFirst()
    let cells = lines.map { line in
      let fields = (line.firstRange(of: "2026-05-01").map { line[$0.lowerBound...] } ?? "").split(
        separator: ",", omittingEmptySubsequences: false)
      return [1, 2, 3, 6, 14].map { String(fields[$0]) }.joined(separator: " ")
    }
    #expect(
      cells == [
        "22:15:00.000+02:00 22:15:00:00 at 25 1.500 1 1",
        "22:15:00.000+02:00 22:15:00:00 at 25 1.500 1 2",
        "22:15:01.500+02:00 22:15:01:12 at 25 0.500 1 1",
        "22:15:01.500+02:00 22:15:01:12 at 25 0.500 1 2",
      ])
  }

  @Test("a take of very many files lists as many as fit, and says how many there are besides")
  func manyFiles() {
    func take(_ count: Int) -> HostTake {
      var summary = TakeSummary(
        take: TakePlan(id: TakeID(high: 1, low: 0), name: "x", number: 1),
        t0: .sessionStart, t1: .sessionStart + .seconds(2),
        files: (0..<count).map { "\(String(repeating: "n", count: 80))_\($0).wav" },
        timingLogs: [], frames: Int64(count) * 480, gaps: 0, isComplete: true, last: nil)
      summary.sampleRateHertz = 48_000
      summary.fileDetails = summary.files.enumerated().map {
        TakeSummary.File(
          name: $1, segment: $0 + 1, track: nil, firstFrame: Int64($0) * 480, frames: 480)
      }
      return HostTake(
        summary, peer: PeerID(high: 1, low: 1), label: "a", folder: "/x")
    }
    #expect(take(HostTake.mostFiles).filesLeft == nil)
    let many = take(HostTake.mostFiles + 1)
    #expect(many.filesLeft == 1 && many.files.count == HostTake.mostFiles)
    #expect(many.frames(ofFile: HostTake.mostFiles - 1).count == 480)
    let lines = SoundReport(report: TakesReport(book: nil, parts: [many])).lines
    #expect(lines.count == HostTake.mostFiles + 2)
    #expect(lines.last?.contains("1 more files: see take.json in /x") == true)
    let bytes = (try? JSONEncoder().encode(take(100_000)))?.count ?? .max
    #expect(bytes < 50_000, "\(bytes) bytes in one answer")
  }

  @Test("a list has a line per take; numbers that double get letters, circled ones brackets")
  func list() {
    let report = TakesReport(
      book: nil,
      parts: [
        part("a", note: "gut"), part("b", verdict: .flawed), part("a", take: 2, t0: 60),
      ])
    let lines = TakesView(report: report).lines
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("2 takes · nothing stands on the slate"))
    #expect(lines[2].hasPrefix(" (7)  Sz, \"12\"  22:15:00:00 at 25"))
    #expect(lines[2].contains("b flawed") && lines[2].hasSuffix("gut"))
    #expect(lines[3].hasPrefix("  7b") && lines[3].contains("whole"))
    #expect(TakesView(report: TakesReport(book: nil, parts: [])).lines.count == 1)
  }
}
