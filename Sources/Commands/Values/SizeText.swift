/// Sizes as people write them: `4GB`, `700MB`, `2GiB`.
enum SizeText {
  private static let units: [(name: String, bytes: UInt64)] = [
    ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
    ("KIB", 1 << 10), ("MIB", 1 << 20), ("GIB", 1 << 30), ("TIB", 1 << 40),
  ]

  /// Reads a size in bytes; nothing where `text` is none: a whole number and a unit.
  static func parse(_ text: String) -> UInt64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.uppercased()
    guard digits.count <= 15, let number = UInt64(digits),
      let factor = units.first(where: { $0.name == unit })?.bytes
    else { return nil }
    let (bytes, isOver) = number.multipliedReportingOverflow(by: factor)
    return isOver ? nil : bytes
  }
}
