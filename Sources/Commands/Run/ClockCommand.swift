internal import Control
internal import Units

/// `recorder clock`: how this host's clock stands to shared time.
struct ClockCommand {
  private let line: ParsedLine
  private let terminal: Terminal
  private let output: AnswerOutput
  private let source: ClockSource

  init(line: ParsedLine, terminal: Terminal) throws(UsageError) {
    if line.has("--csv") {
      guard line.has("--watch") else { throw .alone(option: "--csv", needs: "--watch") }
      if line.has("--json") { throw .together(one: "--csv", other: "--json") }
    }
    self.line = line
    self.terminal = terminal
    output = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
    source = ClockSource(line: line)
  }

  func run() -> ExitCode {
    let isTable = line.has("--csv")
    if isTable { terminal.print(ClockCSV.header) }
    guard line.has("--watch") else { return turn() }
    var pace = Pace(isTable ? ClockCSV.distance : .seconds(1))
    while true {
      let code = turn()
      guard code == .success else { return code }
      pace.wait()
    }
  }

  private func turn() -> ExitCode {
    let report: ClockReport
    do throws(ClockSource.Failure) {
      report = try source.report()
    } catch {
      return output.fail(error)
    }
    if line.has("--json") { return output.printJSON(report, .success) }
    if line.has("--csv") {
      if let text = ClockCSV.line(report) { terminal.print(text) }
      return .success
    }
    if line.has("--watch") { terminal.clear() }
    for text in ClockView(report: report).lines { terminal.print(text) }
    return .success
  }
}
