internal import Control
internal import Recording
internal import Units

/// Words for takes and slates.
enum TakeWords {
  /// What stands on a slate.
  static func slate(_ slate: SessionBook.Slate?) -> String {
    let parts = [
      slate?.scene.map { "scene “\($0)”" }, slate?.project.map { "project “\($0)”" },
      slate?.tape.map { "tape “\($0)”" },
    ].compactMap(\.self)
    return parts.isEmpty ? "nothing stands on the slate" : parts.joined(separator: " · ")
  }
}

/// A session's takes, for people: a line per take.
struct TakesView {
  let report: TakesReport

  var lines: [String] {
    if report.takes.isEmpty { return ["the session has no take yet"] }
    var table = TextTable(rightAligned: [0, 3])
    table.add(["TAKE", "SCENE", "START", "LENGTH", "HOSTS", "VERDICT", "NOTE"])
    for take in report.takes { table.add(row(take).map(PlainText.of)) }
    return [headline] + table.lines
  }

  private var headline: String {
    let count = report.takes.count
    let session = report.session.map { " of session \($0.short)" } ?? ""
    let timecode = report.timecode.map { " · timecode \($0)" } ?? ""
    return "\(count) take\(count == 1 ? "" : "s")\(session)\(timecode) · "
      + TakeWords.slate(report.slate)
  }

  private func row(_ take: TakesReport.Take) -> [String] {
    let first = take.hosts[0]
    let seconds = take.hosts.compactMap(\.seconds).max()
    return [
      take.isCircled ? "(\(take.label))" : take.label, take.name,
      take.isRolling ? "rolling" : first.timecode ?? "–",
      seconds.map { DurationText.short(.seconds($0)) } ?? "–",
      "\(Set(take.hosts.map(\.peer)).count)", verdict(take), take.note ?? "",
    ]
  }

  /// The worst of the hosts' verdicts, with the hosts that are not whole.
  private func verdict(_ take: TakesReport.Take) -> String {
    let flawed = take.hosts.filter { $0.t1 != nil && $0.verdict != .whole }
    if flawed.isEmpty { return take.isRolling ? "–" : "whole" }
    // A host that was interrupted has several parts.
    let words = flawed.map { "\($0.label) \($0.verdict?.rawValue ?? "recovered")" }
      .reduce(into: [String]()) { words, word in if !words.contains(word) { words.append(word) } }
    return words.joined(separator: ", ")
  }
}
