internal import Control

/// What was brought together, for people.
struct PullView {
  let report: PullReport

  /// A line while it goes on.
  var progress: String {
    guard let file = report.files.first(where: { $0.state == .pulling }) else {
      return report.files.isEmpty ? "asking all hosts…" : "comparing…"
    }
    let share = report.bytes > 0 ? Double(report.done) / Double(report.bytes) * 100 : 0
    let slow = report.isSlow ? ", slowly: a host is armed or rolling" : ""
    return "\(Decimals.text(share, places: 0)) % of \(Decimals.bytes(report.bytes)): "
      + "\(PlainText.of(file.label)) \(PlainText.of(file.name))\(slow)"
  }

  /// A line per host, one for each file that is not as it should be, and where all of it is.
  func lines(_ terminal: Terminal) -> [String] {
    let hosts = Dictionary(grouping: report.files, by: \.peer).sorted {
      ($0.value[0].label, $0.key) < ($1.value[0].label, $1.key)
    }
    var table = TextTable()
    for (_, files) in hosts { table.add(["  " + PlainText.of(files[0].label), words(files)]) }
    var lines = table.lines
    for host in report.missingHosts {
      lines.append(
        terminal.tinted(
          "  \(PlainText.of(host))  did not answer: what it recorded is not here", .red))
    }
    for file in report.files where ![.pulled, .present].contains(file.state) {
      let note = file.note.map { ": " + PlainText.of($0) } ?? ""
      lines.append(
        terminal.tinted("  !  \(PlainText.of(file.name)) \(file.state.rawValue)\(note)", .yellow))
    }
    for file in report.files where [.pulled, .present].contains(file.state) && file.note != nil {
      lines.append("     \(PlainText.of(file.name)): \(PlainText.of(file.note ?? ""))")
    }
    return lines + report.folders.map { "in \($0)" }
  }

  private func words(_ files: [PullReport.File]) -> String {
    let pulled = files.filter { $0.state == .pulled }
    let present = files.filter { $0.state == .present }
    var parts: [String] = []
    if !pulled.isEmpty {
      let bytes = pulled.reduce(0) { $0 + $1.bytes }
      parts.append("\(Self.count(pulled)) pulled (\(Decimals.bytes(bytes))), digests alike")
    }
    if !present.isEmpty { parts.append("\(Self.count(present)) here already") }
    let others = files.count - pulled.count - present.count
    if others > 0 { parts.append("\(others) not here") }
    return parts.joined(separator: ", ")
  }

  private static func count(_ files: [PullReport.File]) -> String {
    "\(files.count) file\(files.count == 1 ? "" : "s")"
  }
}
