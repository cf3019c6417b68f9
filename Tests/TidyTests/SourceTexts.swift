/// The string literals of a Swift source, as their readers see them: `…` stands for what is filled in,
/// and literals that are joined by `+` are one.
struct SourceTexts {
  struct Text {
    /// Where it begins, in characters.
    let start: Int
    let text: String
  }

  private let source: [Character]
  private var place = 0
  private(set) var texts: [Text] = []

  init(_ source: String) {
    self.source = Array(source)
    var end: Int?
    while place < self.source.count {
      if self.source[place] == "/", at(place + 1) == "/" {
        while place < self.source.count, self.source[place] != "\n" { place += 1 }
      } else if self.source[place] == "\"" {
        let start = place
        let text = literal()
        if let last = texts.last, let joint = end, isJoined(joint..<start) {
          texts[texts.count - 1] = Text(start: last.start, text: last.text + text)
        } else {
          texts.append(Text(start: start, text: text))
        }
        end = place
      } else {
        place += 1
      }
    }
  }

  /// Where `mark` stands in the source, and where it ends.
  func occurrences(of mark: String) -> [Range<Int>] {
    let mark = Array(mark)
    guard source.count >= mark.count else { return [] }
    return (0...source.count - mark.count).compactMap { start in
      source[start] == mark[0] && source[start..<start + mark.count].elementsEqual(mark)
        ? start..<start + mark.count : nil
    }
  }

  /// The characters in between.
  func part(_ range: Range<Int>) -> String { String(source[range]) }

  var length: Int { source.count }

  private func at(_ place: Int) -> Character? { place < source.count ? source[place] : nil }

  private func isJoined(_ gap: Range<Int>) -> Bool {
    source[gap].filter { !$0.isWhitespace } == ["+"]
  }

  /// Takes the literal that begins here.
  private mutating func literal() -> String {
    let isLong = at(place + 1) == "\"" && at(place + 2) == "\""
    let width = isLong ? 3 : 1
    place += width
    var text = ""
    while place < source.count {
      if source[place] == "\"", !isLong || (at(place + 1) == "\"" && at(place + 2) == "\"") {
        place += width
        return text
      }
      text += source[place] == "\\" ? escaped() : String(takeOne())
    }
    return text
  }

  private mutating func takeOne() -> Character {
    place += 1
    return source[place - 1]
  }

  private mutating func escaped() -> String {
    place += 2
    switch at(place - 1) {
    case "(":
      skipInterpolation()
      return "…"
    case "u":
      let digits = source[place...].dropFirst().prefix { $0 != "}" }
      place += digits.count + 2
      return UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init).map(String.init) ?? ""
    case "n": return "\n"
    case let other?: return String(other)
    case nil: return ""
    }
  }

  private mutating func skipInterpolation() {
    var depth = 1
    while depth > 0, place < source.count {
      switch source[place] {
      case "\"":
        _ = literal()
        continue
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
      place += 1
    }
  }
}
