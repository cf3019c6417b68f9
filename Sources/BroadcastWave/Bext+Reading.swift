extension Bext {
  /// The date as `yyyy-mm-dd`, whatever stands between its parts; nothing where it is no date.
  ///
  /// EBU Tech 3285 allows `-`, `_`, `:`, blank and `.`; others write `/`, or nothing at all.
  public var civilDate: String? {
    guard let (year, month, day) = Self.parts(originationDate, widths: [4, 2, 2]),
      year > 0, (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return [(year, 4), (month, 2), (day, 2)].map { ASCII.decimal($0, digits: $1) }
      .joined(separator: "-")
  }

  /// The time as `hh:mm:ss`, whatever stands between its parts; nothing where it is no time.
  public var civilTime: String? {
    guard let (hour, minute, second) = Self.parts(originationTime, widths: [2, 2, 2]),
      hour < 24, minute < 60, second < 61
    else { return nil }
    return [hour, minute, second].map { ASCII.decimal($0, digits: 2) }.joined(separator: ":")
  }

  private static func parts(_ text: String, widths: [Int]) -> (Int, Int, Int)? {
    var words = text.split { !("0"..."9").contains($0) }.map(String.init)
    if words.count == 1, words[0].count == widths.reduce(0, +) {
      var rest = words[0][...]
      words = widths.map { width in
        defer { rest = rest.dropFirst(width) }
        return String(rest.prefix(width))
      }
    }
    let numbers = words.compactMap { Int($0) }
    return numbers.count == 3 ? (numbers[0], numbers[1], numbers[2]) : nil
  }

  /// What recorders write into the description as `sSCENE=12A`, a line each: by the name without
  /// the small letter in front, such as `SCENE`.
  public var namedValues: [String: String] {
    var values: [String: String] = [:]
    for line in description.split(whereSeparator: \.isNewline) {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let name = line[..<equals].drop { $0.isLowercase }
      let value = line[line.index(after: equals)...]
      guard !name.isEmpty, !value.isEmpty, name.allSatisfy({ $0.isUppercase || $0.isNumber })
      else { continue }
      values[String(name)] = values[String(name)] ?? String(value)
    }
    return values
  }

  /// The timecode's rate by the description, such as `sSPEED=023.976-ND`.
  public var frameRate: FrameRate? {
    guard let text = namedValues["SPEED"] else { return nil }
    let words = text.drop { $0 == "0" }.uppercased().split { $0 == "-" || $0 == " " }
    guard let rate = words.first else { return nil }
    return FrameRate(rate + (words.dropFirst().contains("DF") ? "DF" : ""))
  }

  /// A value of the coding history's last line, such as `F`, the sample rate (EBU R 98).
  public func codingValue(_ name: Character) -> String? {
    let lines = codingHistory.split(whereSeparator: \.isNewline)
    guard let last = lines.last(where: { $0.contains("=") }) else { return nil }
    let pairs = last.split(separator: ",").map { $0.drop { $0.isWhitespace } }
    return pairs.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(2)) }
  }
}
