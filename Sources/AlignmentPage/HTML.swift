/// Text as a page holds it.
enum HTML {
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      // Controls, and what would turn a line around.
      case let other where other.value < 0x20 && other != "\n": escaped += " "
      case let other
      where (0x202a...0x202e).contains(other.value) || (0x2066...0x2069).contains(other.value):
        escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A coordinate, to a tenth.
  static func number(_ value: Double) -> String {
    let tenths = Int64((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let rest = tenths.magnitude % 10
    return "\(sign)\(tenths.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
  }
}
