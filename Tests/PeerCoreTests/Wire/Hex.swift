/// Bytes as tests write and print them.
enum Hex {
  /// The bytes that `text` spells; blanks are ignored, and `0*12` stands for twelve zero bytes.
  static func bytes(_ text: String) -> [UInt8] {
    text.split(whereSeparator: \.isWhitespace).flatMap { word -> [UInt8] in
      if word.hasPrefix("0*"), let count = Int(word.dropFirst(2)) {
        return [UInt8](repeating: 0, count: count)
      }
      let digits = word.compactMap(\.hexDigitValue).map { UInt8($0) }
      return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
  }

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
