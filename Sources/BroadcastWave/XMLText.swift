/// Builds well-formed XML of elements that hold either text or elements.
struct XMLText {
  private(set) var text = ""
  private var depth = 0

  /// An element with text in it; left out where there is no text, since readers trip over
  /// empty elements.
  mutating func leaf(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    let escaped = XMLEscape.text(value)
    if escaped.isEmpty { return }
    indent()
    text += "<\(name)>\(escaped)</\(name)>\n"
  }

  /// An element with elements in it.
  mutating func node(_ name: String, _ body: (inout XMLText) -> Void) {
    var inner = XMLText()
    inner.depth = depth + 1
    body(&inner)
    if inner.text.isEmpty { return }
    indent()
    text += "<\(name)>\n" + inner.text
    indent()
    text += "</\(name)>\n"
  }

  private mutating func indent() { text += String(repeating: "  ", count: depth) }
}

extension XMLText {
  private static let entities: [Substring: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// The text that `content` stands for, entities resolved; a stray `&` stands for itself.
  static func resolve(_ content: String) -> String {
    var value = ""
    var rest = content[...]
    while let mark = rest.firstIndex(of: "&") {
      value += rest[..<mark]
      let after = rest[rest.index(after: mark)...]
      guard let end = after.prefix(12).firstIndex(of: ";"), let one = entity(after[..<end]) else {
        value.append("&")
        rest = after
        continue
      }
      value.append(one)
      rest = after[after.index(after: end)...]
    }
    return value + rest
  }

  private static func entity(_ name: Substring) -> Character? {
    if let known = entities[name] { return known }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map(Character.init)
  }
}
