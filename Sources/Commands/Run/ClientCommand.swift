internal import Control
internal import Glibc
internal import Units

/// A command that a daemon answers: arm, start, stop, disarm, status.
struct ClientCommand {
  private let line: ParsedLine
  private let terminal: Terminal
  private let request: ControlRequest
  private let client: ControlClient
  private let answer: AnswerOutput

  init(line: ParsedLine, terminal: Terminal) throws(UsageError) {
    self.line = line
    self.terminal = terminal
    request = try Self.request(line)
    answer = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
    client = ControlClient(path: ControlPath.find(explicit: line.value("--socket")))
  }

  func run() throws(UsageError) -> ExitCode {
    guard line.has("--watch") else { return ask() }
    if terminal.isWatched, !line.has("--json"), let screen = FullScreen() {
      return StatusWatch(
        screen: screen, terminal: terminal, client: client, request: request, answer: answer
      ).run()
    }
    var pace = Pace(.seconds(1))
    while true {
      let code = ask()
      guard code == .success else { return code }
      pace.wait()
    }
  }

  private func ask() -> ExitCode {
    let reply: ControlReply
    do throws(ControlError) {
      if [.arm, .start, .stop, .disarm].contains(request.verb), !line.has("--json") {
        terminal.sign("\(request.verb.ongoing)…")
      }
      reply = try client.ask(request)
      terminal.sign("")
    } catch {
      terminal.sign("")
      return answer.fail(error)
    }
    switch reply {
    case .refusal(let reason, let code): return answer.fail(reason, code)
    case .clock(let report): return answer.printJSON(report, .success)
    case .takes(let report): return answer.printJSON(report, .success)
    case .events(let report): return answer.printJSON(report, .success)
    case .pull(let report): return answer.printJSON(report, .success)
    case .fleet(let fleet): return show(fleet)
    case .order(let report): return show(report)
    }
  }

  private func show(_ fleet: FleetReport) -> ExitCode {
    guard !line.has("--json") else { return answer.printJSON(fleet, .success) }
    let view = StatusView(fleet: fleet)
    for text in view.lines(terminal) { terminal.print(text) }
    if !line.has("--watch") { terminal.say("Next: \(view.next)") }
    return .success
  }

  private func show(_ report: OrderReport) -> ExitCode {
    guard !line.has("--json") else { return answer.printJSON(report, report.exitCode) }
    let view = OrderView(report: report, utcOffsetSeconds: LocalZone.offsetSeconds())
    for note in report.notes { terminal.say(note) }
    for text in view.lines(terminal, columns: terminal.columns) { terminal.print(text) }
    if let next = view.next { terminal.say("Next: \(next)") }
    return report.exitCode
  }
}

// What is asked.
extension ClientCommand {
  private static func request(_ line: ParsedLine) throws(UsageError) -> ControlRequest {
    guard let verb = ControlRequest.Verb(rawValue: line.command.name) else {
      throw .unknownCommand(line.command.name)
    }
    var request = ControlRequest(verb, hosts: line.list("--host"))
    try TakeRequests.fill(&request, from: line)
    guard [.arm, .start, .stop].contains(verb) else { return request }
    if let text = line.value("--require") {
      guard let requirement = HostRequirement(text) else {
        throw .badValue(
          option: "--require", value: text, wanted: "all, how many such as 4, or names: a,b")
      }
      request.requirement = requirement
    }
    if let name = line.value("--take") {
      guard !name.isEmpty, name.count <= 64 else {
        throw .badValue(option: "--take", value: name, wanted: "1 to 64 characters")
      }
      request.takeName = name
    }
    if line.has("--in"), line.has("--at") { throw .together(one: "--in", other: "--at") }
    if let text = line.value("--in") {
      guard let lead = DurationText.parse(text) else {
        throw .badValue(option: "--in", value: text, wanted: "a duration such as 3s or 1m30s")
      }
      request.leadNs = lead.wholeNanoseconds
    }
    if let text = line.value("--at") {
      // Seen from now where it has a sign, as in --at -30s.
      if text.hasPrefix("-") || text.hasPrefix("+"),
        let lead = DurationText.parse(text.hasPrefix("+") ? String(text.dropFirst()) : text)
      {
        request.leadNs = lead.wholeNanoseconds
        return request
      }
      guard let instant = CivilDate.parse(text) else {
        throw .badValue(
          option: "--at", value: text,
          wanted: "a time such as 2026-05-01T20:15:00+02:00, or -30s for 30 s ago")
      }
      request.atUnixNs = instant
    }
    return request
  }
}

/// The zone that this user's clock on the wall is in.
enum LocalZone {
  /// Seconds east of UTC now.
  static func offsetSeconds() -> Int {
    var now = time(nil)
    var local = tm()
    guard localtime_r(&now, &local) != nil else { return 0 }
    return Int(local.tm_gmtoff)
  }
}
