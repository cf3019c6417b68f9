internal import Control
internal import Recording
internal import Units

/// The page of `recorder status --watch`: the take's length, what is wrong, the hosts, their
/// meters, and what happened last; as much of it as fits.
struct WatchPage {
  /// The lowest level that a meter shows, in dB of full scale.
  static let floorDecibels = -60.0

  let fleet: FleetReport
  let events: [FleetEvent]
  let columns: Int
  let rows: Int
  let utcOffsetSeconds: Int
  /// Why what is shown is old; nothing while it is of now.
  var trouble: String?

  /// The lines, none longer than ``columns``, no more than ``rows``.
  func lines(_ terminal: Terminal) -> [String] {
    let plain = Terminal(plainLike: terminal)
    let view = StatusView(fleet: fleet)
    var lines = [ScreenLine(view.headline(plain), tint: view.state == "rolling" ? .red : .bold)]
    if let trouble { lines.append(ScreenLine("!! " + trouble, tint: .red)) }
    if let timer { lines.append(ScreenLine(timer, tint: .bold)) }
    lines += problemLines(most: max(1, min(6, max(3, rows - lines.count - 1) / 3)))
    lines.append(ScreenLine(""))
    lines += StatusTable(fleet: fleet, columns: columns).lines(plain).map {
      ScreenLine($0, tint: Self.tint(ofRow: $0))
    }
    lines.append(ScreenLine(""))
    let left = rows - 1 - lines.count
    lines += meterLines(most: left - min(4, left / 3))
    lines += eventLines(most: rows - 1 - lines.count)
    return Self.fitted(lines, rows: rows, columns: columns, footer: "q: leave", terminal)
  }

  /// The problems, whole where there is room, else a line each, cut where the screen ends.
  private func problemLines(most: Int) -> [ScreenLine] {
    let view = HealthView(fleet: fleet)
    let whole = view.shown(columns: columns)
    let lines = (whole.count <= most ? whole : view.shown(most: most, columns: nil)).map {
      ScreenLine($0.text, tint: $0.severity == .critical ? .red : .yellow)
    }
    let left = view.problems.count - most
    return left > 0 ? lines + [ScreenLine("   and \(left) more: recorder status")] : lines
  }

  private static func tint(ofRow row: String) -> Terminal.Tint? {
    row.hasPrefix("!") ? .yellow : row.hasPrefix("?") ? .red : nil
  }

  static func fitted(
    _ lines: [ScreenLine], rows: Int, columns: Int, footer: String, _ terminal: Terminal
  ) -> [String] {
    let body = lines.prefix(max(0, rows - 1)).map { $0.text(columns, terminal) }
    let blanks = Array(repeating: "", count: max(0, rows - 1 - body.count))
    return body + blanks + [ScreenLine(footer).text(columns, terminal)]
  }

  /// `00:12:34`, while a take rolls.
  private var timer: String? {
    guard let seconds = StatusView(fleet: fleet).elapsedSeconds else { return nil }
    let whole = Int(seconds)
    let parts = [whole / 3600, whole / 60 % 60, whole % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
    let take = fleet.hosts.compactMap(\.take).first.map { "  \($0.name) T\($0.number)" } ?? ""
    return "  " + parts.joined(separator: ":") + PlainText.of(take)
  }

  /// A meter for each channel of each host, the loudest of a host's where there is no room.
  private func meterLines(most: Int) -> [ScreenLine] {
    let hosts = fleet.hosts.filter { !$0.isGone && $0.levelsDbfs?.peak.isEmpty == false }
    guard most > 0, !hosts.isEmpty else { return [] }
    let all = hosts.reduce(0) { $0 + ($1.levelsDbfs?.peak.count ?? 0) }
    let wide = hosts.map(\.label.count).max() ?? 0
    var lines: [ScreenLine] = []
    for host in hosts {
      guard let levels = host.levelsDbfs else { continue }
      let isAll = all <= most
      let shown = isAll ? levels.peak.indices.map { $0 } : [Self.loudest(levels.peak)]
      for (place, channel) in shown.enumerated() {
        let label = place == 0 ? host.label : ""
        let name = String(repeating: " ", count: wide - label.count)
        let number = isAll ? "\(channel + 1)" : "max"
        lines.append(
          meter("\(label)\(name)  \(number.count < 2 ? " " : "")\(number) ", levels, channel))
      }
    }
    guard lines.count > most else { return lines }
    return lines.prefix(most - 1) + [ScreenLine("   and \(lines.count - most + 1) more")]
  }

  private static func loudest(_ peaks: [Double?]) -> Int {
    peaks.indices.max { (peaks[$0] ?? -999) < (peaks[$1] ?? -999) } ?? 0
  }

  private func meter(
    _ name: String, _ levels: HostReport.Levels, _ channel: Int
  ) -> ScreenLine {
    let peak = levels.peak[channel]
    let rms = channel < levels.rms.count ? levels.rms[channel] : nil
    let clips = levels.clipped.map { channel < $0.count ? $0[channel] : 0 } ?? 0
    let width = max(8, min(50, columns - name.count - 20))
    let full = Self.cells(rms, of: width)
    let thin = max(full, Self.cells(peak, of: width))
    let bar =
      String(repeating: "█", count: full) + String(repeating: "▒", count: thin - full)
      + String(repeating: "·", count: width - thin)
    let figure = peak.map { Decimals.text($0, places: 0) } ?? "−∞"
    let word = clips > 0 ? "  CLIP" : ""
    return ScreenLine("\(name)\(bar) \(figure)\(word)", tint: clips > 0 ? .red : nil)
  }

  /// How much of a meter a level fills.
  static func cells(_ decibels: Double?, of width: Int) -> Int {
    guard let decibels, decibels.isFinite else { return 0 }
    let share = (decibels - floorDecibels) / -floorDecibels
    return Int((min(max(share, 0), 1) * Double(width)).rounded())
  }

  private func eventLines(most: Int) -> [ScreenLine] {
    guard most > 1, !events.isEmpty else { return [] }
    let plain = Terminal(color: .never) { _ in nil }
    return [ScreenLine("")]
      + events.suffix(most - 1).map {
        ScreenLine(EventView(event: $0, utcOffsetSeconds: utcOffsetSeconds).line(plain))
      }
  }
}

/// A line of a screen: cut to fit, and coloured as a whole.
struct ScreenLine {
  let plain: String
  let tint: Terminal.Tint?

  init(_ plain: String, tint: Terminal.Tint? = nil) {
    self.plain = plain
    self.tint = tint
  }

  func text(_ columns: Int, _ terminal: Terminal) -> String {
    let cut = plain.count > columns ? plain.prefix(max(0, columns - 1)) + "…" : Substring(plain)
    return tint.map { terminal.tinted(String(cut), $0) } ?? String(cut)
  }
}
