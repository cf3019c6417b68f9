internal import BroadcastWave

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
    let words = attributes.map { " \($0.name)=\"\(XMLEscape.attribute($0.value))\"" }.joined()
    guard !children.isEmpty else { return "\(indent)<\(name)\(words)/>\n" }
    return "\(indent)<\(name)\(words)>\n"
      + children.map { $0.text(depth: depth + 1) }.joined() + "\(indent)</\(name)>\n"
  }
}
