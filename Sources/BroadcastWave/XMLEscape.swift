/// Text as XML holds it, in elements and in attributes.
///
/// Characters that XML 1.0 has no way to write are left out.
public enum XMLEscape {
  /// `value` between two tags; lines and tabs stay as they are.
  public static func text(_ value: String) -> String { escaped(value, keepsLines: true) }

  /// `value` between quotation marks, where readers would make blanks of lines and tabs.
  public static func attribute(_ value: String) -> String { escaped(value, keepsLines: false) }

  private static func escaped(_ value: String, keepsLines: Bool) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      case "\t", "\n":
        if keepsLines {
          escaped.unicodeScalars.append(scalar)
        } else {
          escaped += "&#\(scalar.value);"
        }
      case "\r": escaped += "&#13;"
      default:
        let isWritable = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        if isWritable { escaped.unicodeScalars.append(scalar) }
      }
    }
    return escaped
  }
}
