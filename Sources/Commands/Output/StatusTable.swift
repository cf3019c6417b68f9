internal import Control
internal import Recording
internal import Units

/// The hosts of a fleet, a line each. Where the screen is narrow, what matters least there is left
/// out or cut, so that a line stays a line.
struct StatusTable {
  /// What a narrow screen does without, one after the other, until the lines fit.
  private enum Economy: Int, CaseIterable {
    case nothing
    /// A column of batteries where no host has one.
    case emptyBatteries
    /// By how much each card's crystal is off; `recorder status --json` and a wider screen tell.
    case crystals
    /// The levels; the meters of `--watch` show them.
    case levels
    /// The ends of long names.
    case names
  }

  /// Names are not cut below this.
  static let shortestName = 8

  let cells: [HostCells]
  /// How wide the screen is; nothing where the lines go into a file.
  let columns: Int?

  init(fleet: FleetReport, columns: Int?) {
    cells = fleet.hosts.map(HostCells.init)
    self.columns = columns
  }

  func lines(_ terminal: Terminal) -> [String] {
    let marks = [nil] + cells.map(\.mark)
    return zip(fitting, marks).map { line, mark in
      switch mark {
      case "!": terminal.tinted(line, .yellow)
      case "?": terminal.tinted(line, .red)
      default: line
      }
    }
  }

  /// The lines with as little left out as may be.
  private var fitting: [String] {
    var lines: [String] = []
    for economy in Economy.allCases {
      lines = plain(economy)
      guard let columns, lines.contains(where: { $0.count > columns }) else { break }
    }
    return lines
  }

  private func plain(_ economy: Economy) -> [String] {
    var rows = rows(economy)
    if economy == .names { cut(&rows) }
    let last = (rows.first?.count ?? 1) - 1
    var table = TextTable(rightAligned: [last])
    for row in rows { table.add(row) }
    return table.lines
  }

  /// The headings and each host's cells, without the columns that are left out.
  private func rows(_ economy: Economy) -> [[String]] {
    let hasBattery = cells.contains { $0.battery != HostCells.unknown }
    func isSpared(_ from: Economy) -> Bool { economy.rawValue >= from.rawValue }
    func row(_ names: [String], levels: String, battery: String, _ rest: [String]) -> [String] {
      names + (isSpared(.levels) ? [] : [levels])
        + (isSpared(.emptyBatteries) && !hasBattery ? [] : [battery]) + rest
    }
    let headings = row(
      [" ", "HOST", "STATE", "INPUT"], levels: "LEVEL dBFS", battery: "BATTERY",
      ["DISK LEFT", "SYNC", "GAPS"])
    return [headings]
      + cells.map { host in
        let input = isSpared(.crystals) ? host.inputWithoutCrystal : host.input
        return row(
          [host.mark, host.report.label, host.state, input], levels: host.levels,
          battery: host.battery, [host.disk, host.sync, host.gaps])
      }
  }

  /// Takes what is too wide off the inputs first and then off the labels.
  private func cut(_ rows: inout [[String]]) {
    for column in [3, 1] {
      var table = TextTable()
      for row in rows { table.add(row) }
      let excess = (table.lines.map(\.count).max() ?? 0) - (columns ?? .max)
      guard excess > 0 else { return }
      let width = rows.map { $0[column].count }.max() ?? 0
      let room = max(Self.shortestName, width - excess)
      for row in rows.indices where rows[row][column].count > room {
        rows[row][column] = rows[row][column].prefix(room - 1) + "…"
      }
    }
  }
}
