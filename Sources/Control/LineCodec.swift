/// One value of JSON on one line.
enum LineCodec {
  static let newline = UInt8(ascii: "\n")

  static func line(_ value: some Encodable) -> [UInt8] { FleetCoding.encode(value) + [newline] }

  static func value<Value: Decodable>(_ type: Value.Type, of line: some Sequence<UInt8>) -> Value? {
    FleetCoding.decode(type, from: line)
  }
}

/// Collects bytes up to the end of a line, and no more than a limit of them.
struct LineBuffer {
  let limit: Int
  private var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// The line was longer than the limit.
  struct TooLong: Error {}

  /// Takes what has arrived; the line without its end, once it is whole. What stands behind the
  /// first line is dropped: a connection carries one.
  mutating func add(_ more: some Collection<UInt8>) throws(TooLong) -> [UInt8]? {
    let before = bytes.count
    bytes += more.prefix(limit + 1 - before)
    if let end = bytes[before...].firstIndex(of: LineCodec.newline) {
      return Array(bytes[..<end])
    }
    guard bytes.count <= limit else { throw TooLong() }
    return nil
  }
}
