internal import Control

/// `recorder doctor`: what on this host, and between the hosts, is not as recording wants it.
struct DoctorCommand {
  private let terminal: Terminal
  private let answer: AnswerOutput
  private let probes: DoctorProbes

  init(
    line: ParsedLine, terminal: Terminal, environment: @escaping (String) -> String?
  ) throws(UsageError) {
    self.terminal = terminal
    answer = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
    probes = DoctorProbes(
      client: ControlClient(path: ControlPath.find(explicit: line.value("--socket"))),
      input: try OptionReader(line: line).text("--input", upToBytes: 256),
      output: line.value("--output") ?? UserPlaces(environment: environment).recordings,
      isQuick: line.has("--quick"), sign: { terminal.sign($0) })
  }

  func run() -> ExitCode {
    let facts = probes.facts()
    let findings = DoctorRules(facts: facts).findings
    let code: ExitCode = findings.contains { $0.grade == .problem } ? .failed : .success
    if answer.asJSON {
      return answer.printJSON(DoctorReport(findings: findings, writes: facts.writes), code)
    }
    for text in DoctorView(findings: findings).lines(terminal) { terminal.print(text) }
    let problems = findings.filter { $0.grade == .problem }.count
    terminal.say(
      problems == 0
        ? "nothing is in the way of recording"
        : "\(problems) problem\(problems == 1 ? "" : "s"): what to type stands below each")
    return code
  }
}

/// What was found, for people: problems first.
struct DoctorView {
  let findings: [DoctorFinding]

  private static let order: [DoctorFinding.Grade] = [.problem, .advice, .unknown, .good]

  func lines(_ terminal: Terminal) -> [String] {
    let sorted = Self.order.flatMap { grade in findings.filter { $0.grade == grade } }
    var table = TextTable()
    for finding in sorted {
      table.add([Self.mark(finding.grade), finding.check, PlainText.of(finding.text)])
    }
    return zip(table.lines, sorted).flatMap { line, finding -> [String] in
      let indent = line.count - PlainText.of(finding.text).count
      let lines = WrappedText.lines(line, columns: terminal.columns, indent: indent).map {
        Self.tinted($0, finding.grade, terminal)
      }
      guard finding.grade != .good, let fix = finding.fix else { return lines }
      // What is to be typed stays whole.
      return lines + ["      → " + PlainText.of(fix)]
    }
  }

  private static func tinted(
    _ line: String, _ grade: DoctorFinding.Grade, _ terminal: Terminal
  ) -> String {
    switch grade {
    case .problem: terminal.tinted(line, .red)
    case .advice: terminal.tinted(line, .yellow)
    case .good, .unknown: line
    }
  }

  private static func mark(_ grade: DoctorFinding.Grade) -> String {
    switch grade {
    case .problem: "!!"
    case .advice: "!"
    case .unknown: "?"
    case .good: "ok"
    }
  }
}
