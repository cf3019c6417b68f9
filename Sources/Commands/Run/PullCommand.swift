internal import Control
internal import Glibc
internal import Units

/// `recorder pull`: a take's files from all hosts, here.
struct PullCommand {
  private static let distance = Duration.milliseconds(200)

  private let terminal: Terminal
  private let output: AnswerOutput
  private let client: ControlClient
  private let request: ControlRequest

  init(line: ParsedLine, terminal: Terminal) throws(UsageError) {
    guard line.operands.isEmpty == line.has("--all") else {
      throw line.has("--all")
        ? .together(one: "--all", other: "TAKE")
        : .missingOperand(what: "a take's label (see recorder takes), or --all", command: "pull")
    }
    try self.init(
      line: line, terminal: terminal, take: line.operands.first, target: line.value("--to"),
      asJSON: line.has("--json"))
  }

  init(
    line: ParsedLine, terminal: Terminal, take: String?, target: String?, asJSON: Bool
  ) throws(UsageError) {
    self.terminal = terminal
    output = AnswerOutput(terminal: terminal, asJSON: asJSON)
    client = ControlClient(path: ControlPath.find(explicit: line.value("--socket")))
    var request = ControlRequest(.pull)
    request.takeLabel = take
    request.destination = target.map(Self.absolute)
    self.request = request
  }

  /// The daemon stands in another folder.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }

  /// Pulls; the code that it ends with, and the folders that the takes are in here.
  func run() -> (code: ExitCode, folders: [String]) {
    var asked = request
    var pace = Pace(Self.distance)
    while true {
      switch ask(asked) {
      case .failure(let failure): return (output.fail(failure.reason, failure.code), [])
      case .success(let report):
        guard !report.isOver else { return (show(report), report.folders) }
        terminal.sign(PullView(report: report).progress)
      }
      asked = ControlRequest(.pullProgress)
      pace.wait()
    }
  }

  private struct Failure: Error {
    let reason: String
    let code: ExitCode
  }

  private func ask(_ request: ControlRequest) -> Result<PullReport, Failure> {
    do throws(ControlError) {
      switch try client.ask(request) {
      case .pull(let report): return .success(report)
      case .refusal(let reason, let code): return .failure(Failure(reason: reason, code: code))
      case .order, .fleet, .clock, .takes, .events:
        return .failure(Failure(reason: "the daemon is of another version", code: .failed))
      }
    } catch {
      return .failure(Failure(reason: error.description, code: error.exitCode))
    }
  }

  private func show(_ report: PullReport) -> ExitCode {
    terminal.sign("")
    if output.asJSON { return output.printJSON(report, report.exitCode) }
    for text in PullView(report: report).lines(terminal) { terminal.print(text) }
    if report.exitCode == .success, let folder = report.folders.first {
      terminal.say("Next: recorder align \(ShellWord.quoted(folder))")
    }
    return report.exitCode
  }
}

/// `recorder align`, with `--pull` after the take's files were brought together.
struct PulledAlignment {
  let line: ParsedLine
  let terminal: Terminal

  func run() throws(UsageError) -> ExitCode {
    guard line.has("--pull") else {
      return try AlignCommand(line: line, terminal: terminal).run()
    }
    guard line.operands.count == 1 else {
      throw .badValue(
        option: "the take", value: line.operands.joined(separator: " "),
        wanted: "one label with --pull (recorder takes)")
    }
    let pulled = try PullCommand(
      line: line, terminal: terminal, take: line.operands.first, target: nil, asJSON: false
    ).run()
    guard !pulled.folders.isEmpty, pulled.code == .success || pulled.code == .someHosts else {
      return pulled.code
    }
    let code = try AlignCommand(line: line, terminal: terminal, inputs: pulled.folders).run()
    return code == .success ? pulled.code : code
  }
}
