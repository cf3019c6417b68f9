/// A JSON value, written with its members in the order given.
indirect enum JSONValue {
  case null
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([(String, JSONValue)])

  func text(depth: Int = 0) -> String {
    let indent = String(repeating: "  ", count: depth + 1)
    let end = "\n" + String(repeating: "  ", count: depth)
    switch self {
    case .null: return "null"
    case .number(let number): return "\(number)"
    case .text(let text): return Self.quoted(text)
    case .list(let values):
      if values.isEmpty { return "[]" }
      return "[\n" + values.map { indent + $0.text(depth: depth + 1) }.joined(separator: ",\n")
        + end
        + "]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map { "\(indent)\(Self.quoted($0.0)): \($0.1.text(depth: depth + 1))" }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case let control where control.value < 0x20:
        let digits = String(control.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
