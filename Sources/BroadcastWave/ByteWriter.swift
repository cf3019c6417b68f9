/// Puts a RIFF file's fields one behind the other, low byte first.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func integer<Value: FixedWidthInteger & Sendable>(_ value: Value) {
    for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
    }
  }

  /// A chunk's name, such as `fmt `: four ASCII characters.
  mutating func name(_ name: String) {
    precondition(name.utf8.count == 4, "a chunk's name has four characters, unlike \"\(name)\"")
    bytes.append(contentsOf: name.utf8)
  }

  mutating func raw(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// `text` as ASCII in a field of `count` bytes: cut where too long, filled with NUL.
  mutating func ascii(_ text: String, count: Int) {
    let field = ASCII.bytes(of: text).prefix(count)
    bytes.append(contentsOf: field)
    fill(with: 0, count: count - field.count)
  }

  mutating func fill(with byte: UInt8, count: Int) {
    bytes.append(contentsOf: repeatElement(byte, count: count))
  }

  static func bytes<Value: FixedWidthInteger & Sendable>(of value: Value) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(value)
    return writer.bytes
  }
}
