/// Lines whose columns stand under each other.
struct TextTable {
  private var rows: [[String]] = []
  /// Columns whose figures end at the same place.
  let rightAligned: Set<Int>

  init(rightAligned: Set<Int> = []) { self.rightAligned = rightAligned }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The lines, two blanks between columns, none at the end.
  var lines: [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = row.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        return rightAligned.contains(column) ? blanks + cell : cell + blanks
      }.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }
}
