/// Text for the fields that hold ASCII alone.
enum ASCII {
  /// `text` with every character outside printable ASCII replaced by `_`, but for line ends.
  static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      let keeps = (0x20...0x7E).contains(scalar.value) || scalar == "\r" || scalar == "\n"
      return keeps ? UInt8(scalar.value) : UInt8(ascii: "_")
    }
  }

  /// The text of a NUL-filled field; bytes outside ASCII are read as Latin-1, as others wrote it.
  static func text(of field: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in field {
      if byte == 0 { break }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }

  /// `value` in decimal, with zeros in front up to `digits` digits.
  static func decimal(_ value: some BinaryInteger, digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// A byte as two hexadecimal digits.
  static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
