internal import Control
internal import Recording

/// `recorder takes`, and `recorder scene` where nothing is to be written on the slate.
struct TakesCommand {
  private let line: ParsedLine
  private let output: AnswerOutput
  private let client: ControlClient

  init(line: ParsedLine, terminal: Terminal) throws(UsageError) {
    if line.has("--csv"), line.has("--json") { throw .together(one: "--csv", other: "--json") }
    self.line = line
    output = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
    client = ControlClient(path: ControlPath.find(explicit: line.value("--socket")))
  }

  /// Whether `line` only asks what stands on the slate.
  static func asksForSlate(_ line: ParsedLine) -> Bool {
    line.command.name == "scene" && line.operands.isEmpty && !line.has("--project")
      && !line.has("--tape")
  }

  func run() -> ExitCode {
    let reply: ControlReply
    do throws(ControlError) {
      reply = try client.ask(ControlRequest(.takes, hosts: line.list("--host")))
    } catch {
      return output.fail(error)
    }
    switch reply {
    case .refusal(let reason, let code): return output.fail(reason, code)
    case .takes(let report): return show(report)
    case .fleet, .order, .clock, .events, .pull: return output.fail(.malformed(path: client.path))
    }
  }

  private func show(_ report: TakesReport) -> ExitCode {
    let code: ExitCode = report.missing.isEmpty ? .success : .someHosts
    if output.asJSON { return output.printJSON(report, code) }
    if line.command.name == "scene" {
      output.terminal.print(TakeWords.slate(report.slate))
      return .success
    }
    let lines =
      line.has("--csv") ? SoundReport(report: report).lines : TakesView(report: report).lines
    for text in lines { output.terminal.print(text) }
    if !report.missing.isEmpty {
      output.terminal.say("not heard of: \(report.missing.joined(separator: ", "))")
    }
    return code
  }
}
