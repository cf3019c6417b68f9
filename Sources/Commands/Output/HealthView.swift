internal import Control
internal import Recording
internal import Units

/// What is wrong in a fleet, the worst first, each with what to do.
struct HealthView {
  /// One thing that is wrong.
  struct Problem: Hashable {
    let severity: Alert.Severity
    let label: String
    let text: String
    let next: String

    /// `!!` where audio is being lost, `!` where something is not as it should be.
    var mark: String { severity == .critical ? "!!" : "!" }

    var sentence: String { next.isEmpty ? text : "\(text); \(next)" }
  }

  let fleet: FleetReport

  var problems: [Problem] {
    var seen: Set<Alert.Key> = []
    let found = fleet.hosts.flatMap { host in loss(of: host) + told(by: host, seen: &seen) }
    return found.enumerated().sorted { one, other in
      one.element.severity == other.element.severity
        ? one.offset < other.offset : one.element.severity > other.element.severity
    }.map(\.element)
  }

  private func loss(of host: HostReport) -> [Problem] {
    guard host.state == "lost" else { return [] }
    return [
      Problem(
        severity: host.take == nil ? .warning : .critical, label: host.label,
        text: "not heard any more", next: missed(host) ?? "look at its power and its network")
    ]
  }

  /// What a host says of itself and of others; that a host is lost is said once.
  private func told(by host: HostReport, seen: inout Set<Alert.Key>) -> [Problem] {
    let lost = Set(fleet.hosts.filter(\.isGone).map(\.peer.description))
    var alerts: [Alert] = []
    for alert in host.alerts ?? [] {
      let isNews = !lost.contains(alert.subject) && !seen.contains(alert.key)
      guard alert.kind != .hostLost || isNews else { continue }
      if alert.kind == .hostLost { seen.insert(alert.key) }
      alerts.append(alert)
    }
    // The alerts stand among the warnings too, for programs.
    let sentences = (host.alerts ?? []).map(\.sentence)
    let others = host.warnings.filter { text in !sentences.contains { $0.hasPrefix(text) } }
    return Self.gathered(alerts).map {
      Problem(severity: $0.severity, label: host.label, text: $0.text, next: $0.next)
    }
      + others.suffix(5).map {
        Problem(severity: .warning, label: host.label, text: $0, next: "")
      }
  }

  /// What another host has to say of one that is lost.
  private func missed(_ host: HostReport) -> String? {
    fleet.hosts.flatMap { $0.alerts ?? [] }
      .first { $0.kind == .hostLost && $0.subject == host.peer.description }?.next
  }

  /// Channels that have the same to say in one line: `channels 1, 3, 4: …`.
  static func gathered(_ alerts: [Alert]) -> [Alert] {
    var result: [Alert] = []
    for alert in alerts {
      let place = result.firstIndex { known in
        known.kind == alert.kind && known.severity == alert.severity && known.kind == .silence
      }
      guard let place else {
        result.append(alert)
        continue
      }
      let number = alert.subject.split(separator: " ").last.map(String.init) ?? alert.subject
      let parts = result[place].text.split(separator: ":", maxSplits: 1).map(String.init)
      let channels = parts[0].hasPrefix("channels ") ? parts[0] : "channels" + parts[0].dropFirst(7)
      result[place].text = "\(channels), \(number):\(parts.last ?? "")"
    }
    return result
  }

  /// A line, and how bad what it says is.
  struct Line {
    let text: String
    let severity: Alert.Severity
  }

  /// The lines of the worst problems, `most` at most; what is wider than `columns` goes on in the next
  /// line.
  func shown(most: Int = .max, columns: Int?) -> [Line] {
    let problems = problems.prefix(most)
    var table = TextTable()
    for problem in problems { table.add([problem.mark, problem.label, problem.sentence]) }
    return zip(table.lines, problems).flatMap { line, problem in
      WrappedText.lines(
        line, columns: columns, indent: line.count - problem.sentence.count
      ).map { Line(text: $0, severity: problem.severity) }
    }
  }

  /// The lines of all problems; of more than `most` the worst, and how many more there are.
  func lines(_ terminal: Terminal, most: Int = .max, columns: Int? = nil) -> [String] {
    let lines = shown(most: most, columns: columns).map {
      terminal.tinted($0.text, $0.severity == .critical ? .red : .yellow)
    }
    let left = problems.count - most
    return left > 0 ? lines + ["   and \(left) more: recorder status"] : lines
  }
}
