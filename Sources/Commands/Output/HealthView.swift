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
    var found: [Problem] = []
    var seen: Set<Alert.Key> = []
    let lost = Set(fleet.hosts.filter { $0.state == "lost" }.map(\.peer.description))
    for host in fleet.hosts {
      if host.state == "lost" {
        let hint = missed(host) ?? "look at its power and its network"
        found.append(
          Problem(
            severity: host.take == nil ? .warning : .critical, label: host.label,
            text: "not heard any more", next: hint))
      }
      let alerts = (host.alerts ?? []).filter { alert in
        guard alert.kind == .hostLost else { return true }
        return !lost.contains(alert.subject) && seen.insert(alert.key).inserted
      }
      found += Self.gathered(alerts).map {
        Problem(severity: $0.severity, label: host.label, text: $0.text, next: $0.next)
      }
      let told = alerts.map(\.sentence)
      let others = host.warnings.filter { text in !told.contains { $0.hasPrefix(text) } }
      found += others.suffix(5).filter { text in
        !(host.alerts ?? []).contains { $0.sentence == text }
      }.map { Problem(severity: .warning, label: host.label, text: $0, next: "") }
    }
    return found.enumerated().sorted { one, other in
      one.element.severity == other.element.severity
        ? one.offset < other.offset : one.element.severity > other.element.severity
    }.map(\.element)
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

  /// The lines of all problems; of more than `most` the worst, and how many more there are.
  func lines(_ terminal: Terminal, most: Int = .max) -> [String] {
    let problems = problems
    var table = TextTable()
    for problem in problems.prefix(most) {
      table.add([problem.mark, problem.label, problem.sentence])
    }
    var lines = zip(table.lines, problems).map { line, problem in
      terminal.tinted(line, problem.severity == .critical ? .red : .yellow)
    }
    if problems.count > most {
      lines.append("   and \(problems.count - most) more: recorder status")
    }
    return lines
  }
}
