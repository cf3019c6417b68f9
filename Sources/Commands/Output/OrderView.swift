internal import Control
internal import Recording
internal import Units

/// What came of an order, for people: a line per host, and what to do next.
struct OrderView {
  let report: OrderReport
  /// The zone that times are shown in, in seconds east of UTC.
  let utcOffsetSeconds: Int

  /// The lines; one that is wider than `columns` goes on in the next, below where its words began.
  func lines(_ terminal: Terminal, columns: Int? = nil) -> [String] {
    let rows = report.hosts.map { host in
      (host, words: [text(of: host), host.note].compactMap(\.self).joined(separator: "; "))
    }
    var table = TextTable()
    for (host, words) in rows { table.add(["  " + host.label, words]) }
    let lines = zip(table.lines, rows).flatMap { line, row in
      WrappedText.lines(line, columns: columns, indent: line.count - row.words.count).map {
        tinted($0, row.0, terminal)
      }
    }
    return [headline] + lines
  }

  private func tinted(_ line: String, _ host: HostAnswer, _ terminal: Terminal) -> String {
    switch host.outcome {
    case .refused: terminal.tinted(line, .yellow)
    case .missing: terminal.tinted(line, .red)
    case .done: host.note == nil ? line : terminal.tinted(line, .yellow)
    case .noInput, .noPart: line
    }
  }

  private var headline: String {
    let asked = report.hosts.filter { $0.outcome != .noInput && $0.outcome != .noPart }
    let done = asked.filter { $0.outcome == .done }.count
    let count =
      done == asked.count
      ? "\(done) host\(done == 1 ? "" : "s")"
      : "\(done) of \(asked.count) hosts"
    let take = report.take.map { " take \($0.number) “\($0.name)”" } ?? ""
    switch report.verb {
    case .arm: return "armed\(take): \(count)"
    case .start: return "start\(take)\(time): \(count)"
    case .stop: return (isAhead ? "stop\(take)\(endTime)" : "stopped\(take)") + ": \(count)"
    case .disarm: return "disarmed: \(count)"
    case .name: return "renamed: \(count)"
    case .forget: return "forgotten: \(count)"
    case .scene: return "\(TakeWords.slate(report.slate)): \(count)"
    case .mark: return "marked\(instant) in\(take): \(count)"
    case .note: return "noted for\(take): \(count)"
    case .circle:
      return (report.isCircled == false ? "took the circle off" : "circled") + "\(take): \(count)"
    case .status, .clock, .renewSession, .takes, .events, .pull, .pullProgress: return count
    }
  }

  private var instant: String {
    guard let unix = report.atUnixNs else { return "" }
    return " "
      + CivilDate.timeOfDay(unixNanoseconds: unix, offsetSeconds: utcOffsetSeconds)
  }

  private var time: String {
    guard let unix = report.t0UnixNs else { return "" }
    let text = CivilDate.timeOfDay(unixNanoseconds: unix, offsetSeconds: utcOffsetSeconds)
    return " at \(text)"
  }

  /// Whether the end that was asked for is still to come.
  private var isAhead: Bool {
    report.hosts.contains { $0.outcome == .done && ["rolling", "scheduled"].contains($0.state) }
  }

  private var endTime: String {
    guard let unix = report.t1UnixNs else { return "" }
    return " at " + CivilDate.timeOfDay(unixNanoseconds: unix, offsetSeconds: utcOffsetSeconds)
  }

  private func text(of host: HostAnswer) -> String {
    switch host.outcome {
    case .missing: return missingText
    case .noInput: return "no card: takes part in time and commands only"
    case .refused: return "refused: \(host.reason ?? "it does not say why")"
    case .noPart: return "did not record it"
    case .done: break
    }
    switch report.verb {
    case .arm: return armText(host)
    case .start: return startText(host)
    case .stop: return stopText(host)
    case .scene, .note, .circle: return "done"
    case .name: return "its name from now on"
    case .forget: return "knows it no longer"
    case .mark: return "marked"
    case .disarm, .status, .clock, .renewSession, .takes, .events, .pull, .pullProgress:
      return host.state
    }
  }

  private var missingText: String {
    if report.verb == .forget {
      return "missing: it did not answer; it is told when it is heard again"
    }
    let hint = "missing: it did not answer; see recorder status"
    return report.verb == .start
      ? hint + "; where it is armed it begins at T0 from its ring as soon as it hears of it" : hint
  }

  private func armText(_ host: HostAnswer) -> String {
    let card = host.input.map { "armed  " + Self.text(of: $0) } ?? "armed"
    guard let preRoll = host.preRollNs, let bytes = host.ringBytes else { return card }
    let memory = "\(Decimals.bytes(bytes)) of memory"
    let back = DurationText.short(.nanoseconds(preRoll))
    return card
      + (preRoll > 0
        ? "; a take may begin \(back) ago, from \(memory)" : "; \(memory) for a slow disk")
  }

  private func startText(_ host: HostAnswer) -> String {
    if let other = host.otherTake {
      return "take \(other) was begun at the same moment, and is the one that rolls"
    }
    var parts = [host.state]
    if let late = host.lateNs, late > 0 {
      let span = DurationText.short(.nanoseconds(late))
      parts.append(
        host.isCovered == true
          ? "told \(span) late, recovered from its ring"
          : "told \(span) late: the beginning is missing")
    }
    if let first = host.firstSample {
      parts.append(
        "first sample \(place(of: first)), known to ±\(Decimals.time(nanoseconds: first.boundNs))")
    }
    return parts.joined(separator: "; ")
  }

  /// Where the first sample lies: the one nearest to T0 is half a sample away from it at most.
  private func place(of first: HostReport.FirstSample) -> String {
    guard let t0 = report.t0SharedNs else { return "known" }
    let distance = first.sharedNs - t0
    let sign = distance < 0 ? "−" : "+"
    return "at T0 \(sign)\(Decimals.time(nanoseconds: Int64(clamping: distance.magnitude)))"
  }

  private func stopText(_ host: HostAnswer) -> String {
    var parts: [String] = []
    if let frames = host.recordedFrames {
      let rate = host.input?.sampleRateHertz ?? 0
      let span = rate > 0 ? " (\(Decimals.text(Double(frames) / Double(rate), places: 3)) s)" : ""
      parts.append("\(frames) frames\(span)")
    }
    if let gaps = host.gaps {
      parts.append(gaps == 0 ? "no gaps" : gaps == 1 ? "1 gap" : "\(gaps) gaps")
    }
    if let first = host.firstSample {
      parts.append("first sample ±\(Decimals.time(nanoseconds: first.boundNs))")
    }
    if let missing = host.headMissingNs {
      parts.append("begins \(Decimals.time(nanoseconds: missing)) after T0")
    }
    if let excess = host.tailExcessNs {
      parts.append("goes on \(Decimals.time(nanoseconds: excess)) beyond T1")
    }
    if let folder = host.folder { parts.append(folder) }
    return parts.isEmpty ? host.state : parts.joined(separator: ", ")
  }

  private static func text(of input: HostReport.Input) -> String {
    "\(input.pcm), \(input.channels) ch, \(input.sampleRateHertz) Hz, \(input.bits) bit"
  }

  /// What to type next; nothing where there is nothing to go on with.
  var next: String? {
    let done = report.hosts.filter { $0.outcome == .done }
    guard !done.isEmpty else { return nil }
    switch report.verb {
    case .arm: return "recorder start --in 1s"
    case .start: return "recorder status, recorder stop"
    case .stop where isAhead: return "recorder status"
    case .stop:
      let folders = Set(done.compactMap(\.folder))
      return folders.count == 1
        ? folders.first.map { "recorder align \(ShellWord.quoted($0))" }
        : report.take.map { "recorder align \($0.number) --pull" }
    case .disarm: return "recorder arm"
    case .scene: return report.take == nil ? "recorder arm" : "recorder start --in 1s"
    case .note, .circle: return "recorder takes"
    case .name, .forget: return "recorder status"
    case .mark, .status, .clock, .renewSession, .takes, .events, .pull, .pullProgress: return nil
    }
  }
}

/// Words as a shell takes them.
enum ShellWord {
  /// `text` in quotes, where it holds more than letters, digits and a few signs.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.allSatisfy { character in
        character.isASCII
          && (character.isLetter || character.isNumber || "/._-+:,@".contains(character))
      }
    return isPlain
      ? text
      : "'"
        + text.split(
          separator: "'", omittingEmptySubsequences: false
        ).joined(separator: "'\\''") + "'"
  }
}
