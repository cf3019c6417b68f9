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
    #expect(run.daemons == [])
    #expect(run.leftovers == [])
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
}
