/// Puts values behind one another, big-endian.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  /// Begins with room for `capacity` bytes; more may be put all the same.
  init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  mutating func put(_ value: UInt8) { bytes.append(value) }

  mutating func put(_ value: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func put(_ value: Double) { put(value.bitPattern) }

  mutating func put(_ value: Bool) { put(value ? UInt8(1) : 0) }

  mutating func put(raw: [UInt8]) { bytes += raw }

  /// A length of two bytes, then the bytes.
  mutating func put(counted: [UInt8]) {
    precondition(counted.count <= UInt16.max, "\(counted.count) bytes do not fit a frame")
    put(UInt16(truncatingIfNeeded: counted.count))
    bytes += counted
  }

  mutating func put(_ text: String) {
    precondition(text.utf8.count <= UInt16.max, "\(text.utf8.count) bytes do not fit a frame")
    put(UInt16(truncatingIfNeeded: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func put(zeros count: Int) {
    bytes += repeatElement(0, count: max(count, 0))
  }
}
