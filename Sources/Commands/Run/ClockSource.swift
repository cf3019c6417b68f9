internal import Control

/// Asks the daemon how its clock does.
struct ClockSource {
  /// Why there is no report.
  enum Failure: Error {
    case control(ControlError)
    case refused(reason: String, exitCode: ExitCode)

    var isNoDaemon: Bool {
      if case .control(.noDaemon) = self { true } else { false }
    }
  }

  private let client: ControlClient

  init(line: ParsedLine) {
    client = ControlClient(path: ControlPath.find(explicit: line.value("--socket")))
  }

  /// The report once the group is in a new session.
  func renewSession() throws(Failure) -> ClockReport {
    try report(of: .renewSession, patience: .seconds(15))
  }

  /// The report of now, within `patience`.
  func report(patience: Duration = .seconds(5)) throws(Failure) -> ClockReport {
    try report(of: .clock, patience: patience)
  }

  private func report(
    of verb: ControlRequest.Verb, patience: Duration
  ) throws(Failure) -> ClockReport {
    let reply: ControlReply
    do throws(ControlError) {
      reply = try client.ask(ControlRequest(verb), patience: patience)
    } catch {
      throw .control(error)
    }
    switch reply {
    case .clock(let report): return report
    case .refusal(let reason, let code): throw .refused(reason: reason, exitCode: code)
    case .fleet, .order, .takes, .events, .pull: throw .control(.malformed(path: client.path))
    }
  }
}

extension AnswerOutput {
  func fail(_ failure: ClockSource.Failure) -> ExitCode {
    switch failure {
    case .control(let error): fail(error)
    case .refused(let reason, let code): fail(reason, code)
    }
  }
}
