/// Takes a RIFF file's fields one behind the other, low byte first; nothing beyond the end.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: some Collection<UInt8>) {
    self.bytes = ArraySlice(bytes)
    place = self.bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - place }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
    guard let field = take(Value.bitWidth / 8) else { return nil }
    return field.reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, remaining >= count else { return nil }
    defer { place += count }
    return bytes[place..<(place + count)]
  }

  mutating func name() -> String? { take(4).map { String(decoding: $0, as: UTF8.self) } }
}
