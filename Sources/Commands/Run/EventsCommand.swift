internal import Control
internal import Recording
internal import Units

/// `recorder events`: what has happened on all hosts.
struct EventsCommand {
  private static let usual = 20
  private static let distance = Duration.milliseconds(300)

  private let follows: Bool
  private let last: Int
  private let terminal: Terminal
  private let output: AnswerOutput
  private let client: ControlClient

  init(line: ParsedLine, terminal: Terminal) throws(UsageError) {
    follows = line.has("--follow")
    last =
      try OptionReader(line: line).number("--last", in: 0...EventsReport.most) ?? Self.usual
    self.terminal = terminal
    output = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
    client = ControlClient(path: ControlPath.find(explicit: line.value("--socket")))
  }

  func run() -> ExitCode {
    var newest: UInt64 = 0
    var wanted = last
    var hasShown = false
    var isAway = false
    var pace = Pace(Self.distance)
    while true {
      switch ask(after: newest, most: wanted) {
      case .failure(let failure):
        // A daemon that is started again goes on with the same numbers.
        guard hasShown, failure.code == .noDaemon else {
          return output.fail(failure.reason, failure.code)
        }
        if !isAway { terminal.say("the daemon does not answer; waiting for it") }
        isAway = true
      case .success(let report):
        isAway = false
        let code = show(report.events)
        guard follows, code == .success else { return code }
        newest = report.newest
        wanted = EventsReport.most
        hasShown = true
      }
      pace.wait()
    }
  }

  private struct Failure: Error {
    let reason: String
    let code: ExitCode
  }

  private func ask(after number: UInt64, most: Int) -> Result<EventsReport, Failure> {
    var request = ControlRequest(.events)
    request.afterEvent = number
    request.mostEvents = most
    do throws(ControlError) {
      switch try client.ask(request, patience: .seconds(5)) {
      case .events(let report): return .success(report)
      case .refusal(let reason, let code): return .failure(Failure(reason: reason, code: code))
      case .order, .fleet, .clock, .takes, .pull:
        return .failure(
          Failure(reason: "the daemon is of another version", code: .failed))
      }
    } catch {
      return .failure(Failure(reason: error.description, code: error.exitCode))
    }
  }

  private func show(_ events: [FleetEvent]) -> ExitCode {
    let zone = LocalZone.offsetSeconds()
    for event in events {
      if output.asJSON {
        let code = output.printJSON(event, .success)
        guard code == .success else { return code }
      } else {
        let view = EventView(event: event, utcOffsetSeconds: zone)
        for line in view.lines(terminal) { terminal.print(line) }
      }
    }
    if events.isEmpty, !output.asJSON, !follows { terminal.say("nothing has happened yet") }
    return .success
  }
}
