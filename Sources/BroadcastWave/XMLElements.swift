/// Finds elements in XML by their names, without a thought for what else is there.
///
/// Recorders write broken and undeclared XML: what is whole is read, the rest is passed over.
struct XMLElements {
  private let text: Substring

  /// The longest text that is looked at, in bytes.
  static let limit = 1 << 20

  init(_ text: some StringProtocol) { self.text = Substring(text).prefix(Self.limit) }

  /// The content of the first element called `name`.
  func first(_ name: String) -> XMLElements? {
    next(name, from: text.startIndex)?.content
  }

  /// The content of every element called `name`, outermost ones, 4096 at most.
  func all(_ name: String) -> [XMLElements] {
    var found: [XMLElements] = []
    var place = text.startIndex
    while found.count < 4096, let element = next(name, from: place) {
      found.append(element.content)
      place = element.end
    }
    return found
  }

  /// The text of the first element called `name`, entities resolved, or nothing where empty.
  func value(_ name: String) -> String? {
    guard let content = first(name)?.text else { return nil }
    let value = Self.resolve(content)
    return value.isEmpty ? nil : value
  }

  private func next(
    _ name: String, from place: String.Index
  ) -> (content: XMLElements, end: String.Index)? {
    let rest = text[place...]
    guard let open = rest.firstRange(of: "<\(name)>"),
      let close = rest[open.upperBound...].firstRange(of: "</\(name)>")
    else { return nil }
    return (XMLElements(rest[open.upperBound..<close.lowerBound]), close.upperBound)
  }

  private static let entities: [Substring: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  private static func resolve(_ content: Substring) -> String {
    var value = ""
    var rest = content
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
