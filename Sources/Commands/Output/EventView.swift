internal import Recording

/// A line for an event.
struct EventView {
  let event: FleetEvent
  /// The zone that times are shown in, in seconds east of UTC.
  let utcOffsetSeconds: Int

  private var mark: String {
    switch (event.phase, event.alert.severity) {
    case (.cleared, _): "ok"
    case (_, .critical): "!!"
    case (_, .warning): "! "
    case (_, .info): "  "
    }
  }

  private var words: String {
    let text = event.phase == .cleared ? event.alert.overText : event.alert.sentence
    return PlainText.of(text)
  }

  func line(_ terminal: Terminal) -> String {
    let time = CivilDate.timeOfDay(unixNanoseconds: event.unixNs, offsetSeconds: utcOffsetSeconds)
    let take = event.take.map { "  [\(PlainText.of($0))]" } ?? ""
    let line = "\(time)  \(mark)  \(PlainText.of(event.label))  \(words)\(take)"
    switch (event.phase, event.alert.severity) {
    case (.cleared, _), (_, .info): return line
    case (_, .warning): return terminal.tinted(line, .yellow)
    case (_, .critical): return terminal.tinted(line, .red)
    }
  }
}
