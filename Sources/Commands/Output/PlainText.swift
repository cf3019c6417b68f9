/// Text of foreign files, as a terminal may show it.
enum PlainText {
  /// `text` on one line and without what would steer the terminal or turn its line around.
  static func of(_ text: String) -> String {
    String(
      text.map { character in
        if character.isWhitespace { return " " }
        return character.unicodeScalars.contains(where: steers) ? "\u{FFFD}" : character
      })
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    let turns = 0x202A...0x202E ~= scalar.value || 0x2066...0x2069 ~= scalar.value
    return turns || scalar.properties.generalCategory == .control
  }
}
