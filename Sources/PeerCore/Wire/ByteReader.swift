/// Takes values from one another's back, big-endian, and refuses what is not there.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  /// Where the next value begins.
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - place }

  mutating func take<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self, _ field: StaticString
  ) throws(WireRefusal) -> Value {
    let width = Value.bitWidth / 8
    guard remaining >= width else { throw .malformed(field: "\(field)") }
    var value: UInt64 = 0
    for offset in 0..<width { value = value << 8 | UInt64(bytes[place + offset]) }
    place += width
    return Value(truncatingIfNeeded: value)
  }

  mutating func takeDouble(
    _ field: StaticString, within range: ClosedRange<Double>
  ) throws(WireRefusal) -> Double {
    let value = Double(bitPattern: try take(UInt64.self, field))
    guard value.isFinite, range.contains(value) else { throw .malformed(field: "\(field)") }
    return value
  }

  mutating func takeBool(_ field: StaticString) throws(WireRefusal) -> Bool {
    switch try take(UInt8.self, field) {
    case 0: return false
    case 1: return true
    default: throw .malformed(field: "\(field)")
    }
  }

  mutating func take(_ count: Int, _ field: StaticString) throws(WireRefusal) -> [UInt8] {
    guard remaining >= count else { throw .malformed(field: "\(field)") }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  /// Passes over bytes that mean nothing.
  mutating func skip(_ count: Int, _ field: StaticString) throws(WireRefusal) {
    guard remaining >= count else { throw .malformed(field: "\(field)") }
    place += count
  }

  mutating func takeCounted(
    _ field: StaticString, upTo limit: Int
  ) throws(WireRefusal) -> [UInt8] {
    let count = Int(try take(UInt16.self, field))
    guard count <= limit else { throw .malformed(field: "\(field)") }
    return try take(count, field)
  }

  mutating func takeText(_ field: StaticString, upTo limit: Int) throws(WireRefusal) -> String {
    let count = Int(try take(UInt16.self, field))
    guard count <= limit, remaining >= count,
      let text = String(validating: bytes[place..<place + count], as: UTF8.self)
    else { throw .malformed(field: "\(field)") }
    place += count
    return text
  }

  /// The message must be used up: what follows it would be read by nobody.
  func expectEnd() throws(WireRefusal) {
    guard remaining == 0 else { throw .malformed(field: "length") }
  }
}
