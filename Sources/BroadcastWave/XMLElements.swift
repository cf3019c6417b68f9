/// A tree of XML elements, read leniently.
///
/// Recorders write broken and undeclared XML: what can be read is read, prefixes of names are
/// passed over, and what is wrong is said in ``faults``.
struct XMLElements {
  private let elements: [XMLElement]
  private let children: [Int]
  /// The text before the first child.
  private let text: String
  /// What is not as XML should be, in words.
  let faults: [String]

  /// Reads the elements of `text`, up to ``XMLScanner/limit`` bytes of it.
  init(_ text: some StringProtocol) {
    var scanner = XMLScanner(text)
    scanner.run()
    elements = scanner.elements
    children = scanner.roots
    self.text = ""
    faults = scanner.faults
  }

  private init(elements: [XMLElement], at place: Int) {
    self.elements = elements
    children = elements[place].children
    text = elements[place].text
    faults = []
  }

  /// The first element called `name`.
  func first(_ name: String) -> XMLElements? { all(name, limit: 1).first }

  /// Every element called `name`, 4096 at most.
  ///
  /// An element without an end swallows what follows it: its children count as its siblings.
  func all(_ name: String, limit: Int = 4096) -> [XMLElements] {
    var found: [XMLElements] = []
    var waiting = Array(children.reversed())
    while let place = waiting.popLast(), found.count < limit {
      let element = elements[place]
      if element.name == name { found.append(XMLElements(elements: elements, at: place)) }
      if !element.isClosed { waiting += element.children.reversed() }
    }
    return found
  }

  /// The text of the first element called `name`, or nothing where it is empty.
  func value(_ name: String) -> String? {
    guard let text = first(name)?.text, !text.isEmpty else { return nil }
    return text
  }

  /// The text of the first element called `name` as a whole number; blanks are passed over.
  func integer(_ name: String) -> Int64? {
    value(name).flatMap { Int64($0.filter { !$0.isWhitespace }) }
  }
}

/// An element as it was found.
struct XMLElement {
  /// Without prefix.
  let name: String
  var text = ""
  var children: [Int] = []
  var isClosed = false
}
