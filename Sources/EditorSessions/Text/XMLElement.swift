/// An XML element with attributes.
struct XMLElement {
  let name: String
  var attributes: [(name: String, value: String)]
  var children: [XMLElement]

  init(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [XMLElement] = []
  ) {
    self.name = name
    self.attributes = attributes.map { ($0.key, $0.value) }
    self.children = children
  }

  /// The element and what is in it, an element a line.
  func text(depth: Int = 0) -> String {
    let indent = String(repeating: "  ", count: depth)
    let words = attributes.map { " \($0.name)=\"\(Self.escape($0.value))\"" }.joined()
    guard !children.isEmpty else { return "\(indent)<\(name)\(words)/>\n" }
    return "\(indent)<\(name)\(words)>\n"
      + children.map { $0.text(depth: depth + 1) }.joined() + "\(indent)</\(name)>\n"
  }

  /// `value` between quotation marks; characters that XML 1.0 cannot hold are left out.
  private static func escape(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t": escaped += "&#9;"
      case "\n": escaped += "&#10;"
      case "\r": escaped += "&#13;"
      case let other where other.value < 0x20 || (0xfffe...0xffff).contains(other.value): continue
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
