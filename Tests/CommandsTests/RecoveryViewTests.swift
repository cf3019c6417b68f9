import TestLanes
import Testing

@testable import Commands
@testable import TakeRecovery

@Suite("What recover says", .computing)
struct RecoveryViewTests {
  private func lines(isDryRun: Bool) -> [String] {
    var file = RecoveryReport.File(path: "a.wav", outcome: isDryRun ? .recoverable : .recovered)
    file.frames = 12_000
    file.seconds = 0.25
    file.assumed = ["the file's size was said to be 83, it is 3256"]
    file.done = ["made the header tell of 12000 frames"]
    return RecoveryView(report: RecoveryReport(isDryRun: isDryRun, files: [file])).lines
  }

  @Test("a dry run says what it would have done, and that it did not")
  func dryRun() {
    #expect(
      lines(isDryRun: true) == [
        "a.wav: would be recovered, 12000 frames (0.250 s)",
        "  found: the file's size was said to be 83, it is 3256",
        "  would have made the header tell of 12000 frames",
        "1 to recover; nothing was changed",
      ])
  }

  @Test("a run says what it found and did")
  func run() {
    #expect(
      lines(isDryRun: false) == [
        "a.wav: recovered, 12000 frames (0.250 s)",
        "  found: the file's size was said to be 83, it is 3256",
        "  did: made the header tell of 12000 frames",
        "1 recovered",
      ])
  }
}
