/// Words that go on in the next line where the screen ends, below where they began.
enum WrappedText {
  /// Below so much room for words nothing is broken: the screen does that itself.
  static let leastRoom = 24

  /// The lines of `text`, no longer than `columns` but for a single word that is; those behind the
  /// first begin with `indent` blanks. Without `columns`, as where the lines go into a file, the text
  /// as it stands.
  static func lines(_ text: String, columns: Int?, indent: Int) -> [String] {
    guard let columns, text.count > columns, columns - indent >= leastRoom else { return [text] }
    var lines: [String] = []
    var line = ""
    var isFresh = true
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !isFresh, line.count + 1 + word.count > columns {
        lines.append(line)
        line = String(repeating: " ", count: indent) + word
      } else {
        line += isFresh ? String(word) : " " + word
      }
      isFresh = false
    }
    return lines + [line]
  }
}
