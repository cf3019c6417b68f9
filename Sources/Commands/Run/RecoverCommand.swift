internal import Control
internal import TakeRecovery

/// `recorder recover`: makes interrupted recordings whole.
struct RecoverCommand {
  private let line: ParsedLine
  private let terminal: Terminal
  private let inputs: [String]

  init(line: ParsedLine, terminal: Terminal, environment: @escaping (String) -> String?) {
    self.line = line
    self.terminal = terminal
    inputs =
      line.operands.isEmpty ? [UserPlaces(environment: environment).recordings] : line.operands
  }

  func run() -> ExitCode {
    let report: RecoveryReport
    if line.has("--undo") {
      guard !line.operands.isEmpty, !line.has("--dry-run") else {
        terminal.say("recorder: --undo needs the sound files that are meant, and no --dry-run")
        return .usage
      }
      report = TakeRecovery.undo(line.operands)
    } else {
      do throws(RecoveryError) {
        report = try TakeRecovery(inputs: inputs, isDryRun: line.has("--dry-run")).run()
      } catch {
        terminal.say("recorder: \(error)")
        return .failed
      }
    }
    if line.has("--json") {
      do { terminal.print(try JSONText.of(report)) } catch {
        terminal.say("recorder: \(error)")
        return .failed
      }
    } else {
      for text in RecoveryView(report: report).lines { terminal.print(text) }
    }
    return report.files.contains { $0.outcome == .failed } ? .failed : .success
  }
}
