/// Rows of text in columns that are as wide as they must be.
struct TextTable {
  private var rows: [[String]]

  init(headings: [String]) { rows = [headings] }

  mutating func add(_ row: [String]) { rows.append(row) }

  func text() -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      let line = cells.joined(separator: "  ")
      return "  "
        + line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)]
    }.joined(separator: "\n")
  }
}
