internal import Control
internal import Recording
internal import Units

/// The status of a fleet, for people: problems first to be seen, and what to do next.
struct StatusView {
  let fleet: FleetReport

  private static let order = ["idle", "armed", "scheduled", "rolling"]

  private var present: [HostReport] { fleet.hosts.filter { !$0.isGone } }

  private var withCard: [HostReport] { present.filter { $0.input != nil || $0.state != "idle" } }

  /// The furthest state that any host is in.
  var state: String {
    let states = present.compactMap { Self.order.firstIndex(of: $0.state) }
    return Self.order[states.max() ?? 0]
  }

  func lines(_ terminal: Terminal) -> [String] {
    let table = StatusTable(fleet: fleet, columns: terminal.columns)
    return [headline(terminal)] + health(terminal) + table.lines(terminal) + footnotes
  }

  func headline(_ terminal: Terminal) -> String {
    let count = fleet.hosts.count
    var parts = ["\(count) host\(count == 1 ? "" : "s")"]
    let problems = HealthView(fleet: fleet).problems.count
    if problems > 0 { parts.append("\(problems) problem\(problems == 1 ? "" : "s")") }
    if let sync = syncText { parts.append("sync \(sync)") }
    parts.append(readiness)
    let word = terminal.tinted("● \(state.uppercased())", state == "rolling" ? .red : .bold)
    return "\(word)   \(parts.joined(separator: " · "))"
  }

  /// The worst bounds of those that follow.
  private var syncText: String? {
    let followers = present.filter { $0.sync.role == .follower }
    guard let jitter = followers.compactMap(\.sync.jitterBoundNs).max() else { return nil }
    let path = followers.compactMap(\.sync.pathLimitNs).max() ?? 0
    return "±\(Decimals.time(nanoseconds: jitter)) (path ≤ \(Decimals.time(nanoseconds: path)))"
  }

  private var readiness: String {
    let busy = withCard.filter { $0.state == state }.count
    let all = withCard.count
    let some = busy < all ? "\(busy) of \(all) with a card" : nil
    switch state {
    case "rolling", "scheduled":
      let take = present.compactMap(\.take).first
      let name = take.map { "take \($0.number) “\($0.name)”" } ?? "a take"
      return name + (some.map { " on \($0)" } ?? "") + (elapsed.map { " · \($0)" } ?? "")
    case "armed": return some.map { $0 + " armed" } ?? "ready to start"
    default: return withCard.isEmpty ? "no card on any host" : "ready to arm"
    }
  }

  private var elapsed: String? { elapsedSeconds.map { DurationText.short(.seconds($0)) } }

  /// How long the take has been rolling; nothing while none does.
  var elapsedSeconds: Double? {
    guard state == "rolling" else { return nil }
    return present.compactMap { report in
      report.input.map { Double(report.recordedFrames) / Double(max(1, $0.sampleRateHertz)) }
    }.max()
  }

  /// What is wrong, before anything else; nothing where all is well.
  private func health(_ terminal: Terminal) -> [String] {
    let lines = HealthView(fleet: fleet).lines(terminal, columns: terminal.columns)
    return lines.isEmpty ? [] : lines + [""]
  }

  private var footnotes: [String] {
    let alone = "this machine alone; for other hosts to take part: recorder group new NAME"
    return (fleet.group == nil ? [alone] : []) + refusals
  }

  /// What is told of refused packets: what says that something is amiss. That others share the
  /// network, or begin anew, `--json` tells; a wrong passphrase is a problem of its own.
  private static let toldRefusals: KeyValuePairs = [
    "unknown_version": "of another version", "unknown_category": "of an unknown kind",
    "too_long": "too long", "too_short": "too short", "malformed": "malformed",
    "replayed": "heard twice", "table_full": "of too many hosts",
  ]

  private var refusals: [String] {
    let told = Self.toldRefusals.compactMap { word, text in
      fleet.refusedPackets[word].flatMap { $0 > 0 ? "\($0) \(text)" : nil }
    }
    return told.isEmpty ? [] : ["packets refused: " + told.joined(separator: ", ")]
  }

  /// What to type next.
  var next: String {
    switch state {
    case "rolling", "scheduled": "recorder stop"
    case "armed": "recorder start --in 1s"
    default:
      withCard.isEmpty ? "recorder daemon --input hw:1 (on a host with a card)" : "recorder arm"
    }
  }
}
