internal import Control
internal import Units

/// `recorder session show|new`: the timeline that all hosts share.
struct SessionCommand {
  private let output: AnswerOutput
  private let source: ClockSource
  private let isNew: Bool

  init(line: ParsedLine, terminal: Terminal) throws(UsageError) {
    guard let word = line.operands.first, word == "show" || word == "new" else {
      throw .unwantedOperand(line.operands.first ?? "", command: line.command.name)
    }
    isNew = word == "new"
    output = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
    source = ClockSource(line: line)
  }

  func run() -> ExitCode {
    let report: ClockReport
    do throws(ClockSource.Failure) {
      report = isNew ? try source.renewSession() : try source.report()
    } catch {
      return output.fail(error)
    }
    guard let session = report.session else {
      return output.fail("this host has no session yet; wait a moment and try again", .wrongState)
    }
    if output.asJSON { return output.printJSON(session, .success) }
    for text in SessionView(session: session).lines { output.terminal.print(text) }
    return .success
  }
}
