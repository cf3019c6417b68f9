internal import Control
internal import Recording
internal import Units

/// `recorder status --watch` on a terminal.
struct StatusWatch {
  private static let distance = Duration.milliseconds(250)
  private static let mostEvents = 12

  let screen: FullScreen
  let terminal: Terminal
  let client: ControlClient
  let request: ControlRequest
  let answer: AnswerOutput

  func run() -> ExitCode {
    var fleet: FleetReport?
    var events: [FleetEvent] = []
    while true {
      var trouble: String?
      switch ask(request) {
      case .success(.fleet(let found)):
        fleet = found
        events = latest() ?? events
      case .success(.refusal(let reason, let code)): return end(reason, code)
      case .success: return end("the daemon is of another version", .failed)
      case .failure(let error):
        guard fleet != nil else {
          screen.restore()
          return answer.fail(error)
        }
        trouble = "the daemon does not answer: what follows is what it said last"
      }
      if let fleet { show(fleet, events, trouble) }
      switch screen.wait(Self.distance) {
      case .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")):
        screen.restore()
        return .success
      case .interrupted:
        screen.restore()
        return .interrupted
      case .key, .nothing: break
      }
    }
  }

  private func show(_ fleet: FleetReport, _ events: [FleetEvent], _ trouble: String?) {
    let size = screen.size
    let page = WatchPage(
      fleet: fleet, events: events, columns: size.columns, rows: size.rows,
      utcOffsetSeconds: LocalZone.offsetSeconds(), trouble: trouble)
    screen.show(page.lines(terminal))
  }

  private func end(_ reason: String, _ code: ExitCode) -> ExitCode {
    screen.restore()
    return answer.fail(reason, code)
  }

  private func ask(_ request: ControlRequest) -> Result<ControlReply, ControlError> {
    do throws(ControlError) {
      return .success(try client.ask(request, patience: .seconds(2)))
    } catch {
      return .failure(error)
    }
  }

  private func latest() -> [FleetEvent]? {
    var request = ControlRequest(.events)
    request.mostEvents = Self.mostEvents
    guard case .success(.events(let report)) = ask(request) else { return nil }
    return report.events
  }
}
