/// Walks over the tags of a text and builds elements of them, whatever is wrong.
struct XMLScanner {
  private(set) var elements: [XMLElement] = []
  private(set) var roots: [Int] = []
  private(set) var faults: [String] = []
  private var open: [Int] = []
  private var rest: ArraySlice<UInt8>
  private var prefixes: Set<String> = []
  private var declared: Set<String> = ["xml"]

  /// The longest text that is looked at, in bytes.
  static let limit = 1 << 20
  /// The most elements that are kept, and how deep they may lie.
  static let elementLimit = 65_536
  static let depthLimit = 64

  init(_ text: some StringProtocol) { rest = Array(text.utf8.prefix(Self.limit))[...] }

  mutating func run() {
    while let mark = rest.firstIndex(of: UInt8(ascii: "<")), elements.count < Self.elementLimit {
      take(text: rest[..<mark])
      rest = rest[(mark + 1)...]
      if skips("!--", to: "-->") || skips("?", to: "?>") { continue }
      if rest.starts(with: "![CDATA[".utf8) {
        takeVerbatim()
      } else if rest.first == UInt8(ascii: "!") {
        _ = skips("!", to: ">")
      } else {
        takeTag()
      }
    }
    take(text: rest)
    let unclosed = open.map { elements[$0].name }
    if !unclosed.isEmpty { fault("without an end: \(unclosed.joined(separator: ", "))") }
    let undeclared = prefixes.subtracting(declared).sorted()
    if !undeclared.isEmpty { fault("undeclared: \(undeclared.joined(separator: ", "))") }
  }

  private mutating func fault(_ words: String) {
    if faults.count < 16 { faults.append(words) }
  }

  /// Passes over what begins with `start`, up to and with `end`.
  private mutating func skips(_ start: String, to end: String) -> Bool {
    guard rest.starts(with: start.utf8) else { return false }
    rest = rest.firstRange(of: Array(end.utf8)).map { rest[$0.upperBound...] } ?? []
    return true
  }

  private mutating func takeVerbatim() {
    rest = rest.dropFirst(8)
    let end = rest.firstRange(of: Array("]]>".utf8))
    append(String(decoding: rest[..<(end?.lowerBound ?? rest.endIndex)], as: UTF8.self))
    rest = end.map { rest[$0.upperBound...] } ?? []
  }

  private mutating func take(text bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty, !open.isEmpty else { return }
    append(XMLText.resolve(String(decoding: bytes, as: UTF8.self)))
  }

  /// Text behind a child is the layout of the file, not the element's.
  private mutating func append(_ text: String) {
    guard let last = open.last, elements[last].children.isEmpty else { return }
    elements[last].text += text
  }

  private mutating func takeTag() {
    let isEnd = rest.first == UInt8(ascii: "/")
    let start = isEnd ? rest.dropFirst() : rest
    guard let first = start.first, Self.beginsName(first),
      let end = start.firstIndex(of: UInt8(ascii: ">"))
    else {
      fault("a < that begins no element")
      return append("<")
    }
    let inside = String(decoding: start[..<end], as: UTF8.self)
    rest = start[(end + 1)...]
    let words = inside.split(maxSplits: 1) { $0.isWhitespace || $0 == "/" }
    let name = local(words.first ?? "")
    if words.count > 1 { declare(words[1]) }
    if isEnd {
      close(name)
    } else {
      begin(name, isEmpty: inside.hasSuffix("/"))
    }
  }

  private static func beginsName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// A name without its prefix.
  private mutating func local(_ name: Substring) -> String {
    guard let colon = name.firstIndex(of: ":") else { return String(name) }
    prefixes.insert(String(name[..<colon]))
    return String(name[name.index(after: colon)...])
  }

  private mutating func declare(_ attributes: Substring) {
    for piece in attributes.split(whereSeparator: \.isWhitespace) where piece.hasPrefix("xmlns:") {
      declared.insert(String(piece.dropFirst(6).prefix { $0 != "=" }))
    }
  }

  private mutating func begin(_ name: String, isEmpty: Bool) {
    guard open.count < Self.depthLimit else { return fault("elements too deep") }
    let place = elements.count
    if let last = open.last { elements[last].children.append(place) } else { roots.append(place) }
    elements.append(XMLElement(name: name, isClosed: isEmpty))
    if !isEmpty { open.append(place) }
  }

  private mutating func close(_ name: String) {
    guard let place = open.lastIndex(where: { elements[$0].name == name }) else {
      return fault("an end without a beginning: \(name)")
    }
    let swallowed = open[(place + 1)...].map { elements[$0].name }
    if !swallowed.isEmpty { fault("without an end: \(swallowed.joined(separator: ", "))") }
    elements[open[place]].isClosed = true
    open.removeSubrange(place...)
  }
}
