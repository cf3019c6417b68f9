internal import Control

/// How a command that asks the daemon puts its answer, or says why there is none.
struct AnswerOutput {
  let terminal: Terminal
  let asJSON: Bool

  /// Writes `value` as a line of JSON; returns `code`.
  func printJSON(_ value: some Encodable, _ code: ExitCode) -> ExitCode {
    do {
      terminal.print(try JSONText.of(value))
      return code
    } catch {
      return fail("the answer has no form as JSON: \(error)", .failed)
    }
  }

  func fail(_ error: ControlError) -> ExitCode {
    var next: String?
    if case .noDaemon = error {
      next = "start one on this host: recorder daemon --input hw:1  (recorder cards lists them)"
    }
    return fail(error.description, error.exitCode, next: next)
  }

  func fail(_ reason: String, _ code: ExitCode, next: String? = nil) -> ExitCode {
    terminal.say("recorder: \(reason)")
    if let next { terminal.say("Next: \(next)") }
    if asJSON, let text = try? JSONText.of(JSONText.Failure(error: reason, exitCode: code)) {
      terminal.print(text)
    }
    return code
  }
}
