import AcousticScene
import Demo
import FoundationEssentials
import Glibc
import TestLanes
import Testing

@Suite("recorder demo", .live)
struct DemoTests {
  struct Answer: Decodable {
    let schema: String
    let take: String
    let figures: Figures
  }

  @Test("two hosts record three seconds, and the sound says that they did it right")
  func whole() throws {
    let run = try DemoRun(["--hosts", "2", "--seconds", "3", "--seed", "9", "--json"])
    #expect(DemoRun.wait(seconds: 90) { run.process.exitCode() != nil })
    let answer = try JSONDecoder().decode(Answer.self, from: Data(run.output.utf8))
    #expect(answer.schema == "recorder.demo/1")
    // Under a debug build and other tests, time itself is not the point.
    for verdict in answer.figures.verdicts where verdict.unit != "s" {
      #expect(verdict.isWithin, "seed 9: \(verdict)")
    }
    #expect(answer.figures.hosts.map(\.label) == ["rec-a", "rec-b"])
    #expect(answer.take.hasPrefix(run.place + "/Recordings/"))
    let files = DemoRun.names(in: answer.take)
    #expect(files.count { $0.hasSuffix(".wav") } == 2)
    #expect(files.count { $0.hasSuffix(".timing.jsonl") } == 2)
    try readByOthers(answer)
    #expect(run.daemons == [])
    #expect(run.leftovers == [])
  }

  /// Every file of the take has the same frames and the same TimeReference for everyone.
  private func readByOthers(_ answer: Answer) throws {
    let folders = [answer.take, answer.take + "/aligned"]
    let files = folders.flatMap { folder in
      DemoRun.names(in: folder).filter { $0.hasSuffix(".wav") }.map { folder + "/" + $0 }
    }
    #expect(files.count == 4)
    var timeReferences: Set<UInt64> = []
    for file in files {
      let readers = OtherReaders(path: file)
      let host = try #require(answer.figures.hosts.first { file.contains("_\($0.label)-") })
      let frames = file.contains("/aligned/") ? host.alignedFrames : host.rawFrames
      #expect(readers.frames.count == 5, "\(readers.frames) of \(file)")
      #expect(Set(readers.frames.values) == [UInt64(frames)], "\(readers.frames) of \(file)")
      #expect(readers.timeReferences.count == 4, "\(readers.timeReferences) of \(file)")
      timeReferences.formUnion(readers.timeReferences.values)
    }
    #expect(timeReferences.count == 1, "\(timeReferences)")
  }

  @Test(
    "however a demo is ended, its daemons end within five seconds",
    arguments: [SIGINT, SIGKILL])
  func ended(signal: Int32) throws {
    let run = try DemoRun(["--hosts", "2", "--seconds", "60"])
    let hasStarted = DemoRun.wait(seconds: 30) { run.daemons.count >= 2 }
    #expect(hasStarted, "\(run.talk)")
    kill(run.process.pid, signal)
    #expect(DemoRun.wait(seconds: 5) { run.process.exitCode() != nil && run.daemons.isEmpty })
    #expect(run.process.exitCode() == (signal == SIGINT ? 130 : 128 + SIGKILL))
    if signal == SIGINT { #expect(run.leftovers == []) }
  }

  @Test("without the libraries beside it the demo says what is missing and how to make it")
  func missingLibraries() throws {
    var template = Array((DemoRun.folder + "/no-libraries-XXXXXX").utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(
      decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer {
      unlink(folder + "/recorder")
      rmdir(folder)
    }
    try #require(link(DemoRun.folder + "/recorder", folder + "/recorder") == 0)
    let run = try DemoRun([], program: folder + "/recorder")
    #expect(DemoRun.wait(seconds: 10) { run.process.exitCode() != nil })
    #expect(run.process.exitCode() == 78)
    #expect(run.talk.contains("libCVirtualCard.so is not in \(folder)"))
    #expect(run.talk.contains("swift build -c release"))
    #expect(run.output == "")
  }

  @Test("an output folder that cannot be is refused before anything starts")
  func noOutput() throws {
    let run = try DemoRun(["--output", "/proc/nowhere"])
    #expect(DemoRun.wait(seconds: 10) { run.process.exitCode() != nil })
    #expect(run.process.exitCode() == 1)
    #expect(run.talk.contains("/proc/nowhere cannot be made; choose another with --output"))
    #expect(run.leftovers == [])
  }
}
