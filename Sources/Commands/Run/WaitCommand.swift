internal import Control
internal import Units

/// `recorder wait`: blocks until this host is in sync to what was asked, or the time is over.
struct WaitCommand {
  static let usualBound = Duration.microseconds(50)
  static let usualTimeout = Duration.seconds(30)
  private static let distance = Duration.milliseconds(100)

  let bound: Duration
  let timeout: Duration
  private let output: AnswerOutput
  private let source: ClockSource

  init(line: ParsedLine, terminal: Terminal) throws(UsageError) {
    bound =
      try Self.duration(
        "--sync", of: line, in: .nanoseconds(1)...(.seconds(1)),
        wanted: "a bound up to 1s, such as 50us") ?? Self.usualBound
    timeout =
      try Self.duration(
        "--timeout", of: line, in: .zero...(.seconds(86_400)),
        wanted: "a duration up to a day, such as 30s") ?? Self.usualTimeout
    output = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
    source = ClockSource(line: line)
  }

  private static func duration(
    _ option: String, of line: ParsedLine, in range: ClosedRange<Duration>, wanted: String
  ) throws(UsageError) -> Duration? {
    guard let text = line.value(option) else { return nil }
    guard let duration = DurationText.parse(text), range.contains(duration) else {
      throw .badValue(option: option, value: text, wanted: wanted)
    }
    return duration
  }

  /// Whether `report` says that the host is in sync to `bound`.
  static func isMet(_ bound: Duration, by report: ClockReport) -> Bool {
    report.boundNs.map { $0 <= bound.wholeNanoseconds } ?? false
  }

  /// A daemon that is not there yet may come: it is waited for like the rest.
  func run() -> ExitCode {
    let end = ContinuousClock.now + timeout
    var pace = Pace(Self.distance)
    while true {
      let left = ContinuousClock.now.duration(to: end)
      do throws(ClockSource.Failure) {
        let report = try source.report(patience: max(left, Self.distance))
        if Self.isMet(bound, by: report) { return succeed(report) }
        if left <= .zero { return timeOut(report) }
      } catch {
        guard error.isNoDaemon, left > .zero else { return output.fail(error) }
      }
      pace.wait()
    }
  }

  private func succeed(_ report: ClockReport) -> ExitCode {
    if output.asJSON { return output.printJSON(report, .success) }
    output.terminal.print("in sync: \(ClockView(report: report).bound)")
    return .success
  }

  private func timeOut(_ report: ClockReport) -> ExitCode {
    let wanted = Decimals.time(nanoseconds: bound.wholeNanoseconds)
    return output.fail(
      "not in sync within ±\(wanted) after \(DurationText.short(timeout)): the bound is "
        + ClockView(report: report).bound, .timeout, next: "recorder clock")
  }
}
