/// Numbers as formats want them: with a point, and never with an exponent.
enum Decimal {
  /// `value` with `places` digits behind the point, rounded. For values below 2^53 / 10^places.
  static func text(_ value: Double, places: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    let whole = (value * Double(scale)).rounded()
    // Beyond that a double has no more digits to give.
    precondition(whole.magnitude < 0x1p62, "\(value) has \(places) decimal places")
    let scaled = Int64(whole)
    let digits = String((scaled % scale).magnitude)
    let sign = scaled < 0 ? "-" : ""
    let fraction = String(repeating: "0", count: places - digits.count) + digits
    return "\(sign)\((scaled / scale).magnitude)" + (places > 0 ? ".\(fraction)" : "")
  }
}

/// Texts as formats with lines want them.
enum OneLine {
  /// `text` with blanks for line breaks, tabs and other controls.
  static func of(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
  }
}

/// Names of files that are safe everywhere.
enum FileStem {
  /// `name` with `_` for what a file system or a shell may trip over; `session` for nothing.
  static func of(_ name: String) -> String {
    let safe = name.unicodeScalars.map { scalar -> Character in
      let isSafe =
        scalar.isASCII && (scalar.properties.isAlphabetic || (48...57).contains(scalar.value))
      return isSafe || "-_.".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    let stem = String(safe.drop { $0 == "." }.prefix(64))
    return stem.isEmpty ? "session" : stem
  }
}

/// Paths as URLs.
enum FileURL {
  /// `file:///…` with every byte escaped that RFC 3986 does not leave as it is in a path.
  static func of(_ path: String) -> String {
    "file://"
      + path.utf8.map { byte -> String in
        let isPlain =
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || "-._~/".utf8.contains(byte)
        if isPlain { return String(UnicodeScalar(byte)) }
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count < 2 ? "0" : "") + digits
      }.joined()
  }
}
