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

  /// The event, in more lines than one where the screen is narrow.
  func lines(_ terminal: Terminal) -> [String] {
    let (head, words) = parts
    return WrappedText.lines(head + words, columns: terminal.columns, indent: head.count).map {
      tinted($0, terminal)
    }
  }

  func line(_ terminal: Terminal) -> String { tinted(parts.head + parts.words, terminal) }

  private var parts: (head: String, words: String) {
    let time = CivilDate.timeOfDay(unixNanoseconds: event.unixNs, offsetSeconds: utcOffsetSeconds)
    let take = event.take.map { "  [\(PlainText.of($0))]" } ?? ""
    return ("\(time)  \(mark)  \(PlainText.of(event.label))  ", words + take)
  }

  private func tinted(_ line: String, _ terminal: Terminal) -> String {
    switch (event.phase, event.alert.severity) {
    case (.cleared, _), (_, .info): return line
    case (_, .warning): return terminal.tinted(line, .yellow)
    case (_, .critical): return terminal.tinted(line, .red)
    }
  }
}
