/// Guesses what was meant by a word that nobody knows.
enum Suggestion {
  /// `; did you mean start?`, or nothing where no candidate is near.
  static func hint(for word: String, among candidates: [String]) -> String {
    nearest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? ""
  }

  /// The candidate that `word` is the beginning of, or that is the fewest typing errors away: at
  /// most a third of its length, and two.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.count <= 64 else { return nil }
    let begun = candidates.filter { $0.hasPrefix(word) }
    if begun.count == 1, word.drop(while: { $0 == "-" }).count >= 2 { return begun[0] }
    let measured = candidates.map { (distance(word, $0), $0) }.sorted { $0 < $1 }
    guard let (errors, best) = measured.first else { return nil }
    let letters = best.drop { $0 == "-" }.count
    return errors <= min(2, max(1, letters / 3)) ? best : nil
  }

  /// The number of letters to insert, drop, change or swap with a neighbour (the restricted
  /// Damerau–Levenshtein distance).
  static func distance(_ one: String, _ other: String) -> Int {
    let a = Array(one)
    let b = Array(other)
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
