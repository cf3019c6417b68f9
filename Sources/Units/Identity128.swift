/// A random identity of 128 bits, which ids of one kind are made of.
///
/// Written as 32 hexadecimal digits; ordered as an unsigned number.
public protocol Identity128: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  /// The upper 64 bits.
  var high: UInt64 { get }
  /// The lower 64 bits.
  var low: UInt64 { get }
  /// Makes an id of its two halves.
  init(high: UInt64, low: UInt64)
}

extension Identity128 {
  /// Draws a new id from `generator`.
  public init(from generator: inout some RandomNumberGenerator) {
    let high = generator.next()
    self.init(high: high, low: generator.next())
  }

  /// Reads an id from its 32 hexadecimal digits, or nothing where `text` is not that.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 32 else { return nil }
    var halves: [UInt64] = [0, 0]
    for (place, digit) in digits.enumerated() {
      guard let value = Self.value(ofHexDigit: digit) else { return nil }
      halves[place / 16] = halves[place / 16] << 4 | value
    }
    self.init(high: halves[0], low: halves[1])
  }

  private static func value(ofHexDigit digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Ids are random: the two halves together are as good as both of them apart, and quicker.
  public func hash(into hasher: inout Hasher) { hasher.combine(high ^ low) }

  /// The id's first four hexadecimal digits, which names of files carry.
  public var short: String { String(description.prefix(4)) }

  public var description: String { Self.hex(high) + Self.hex(low) }

  private static func hex(_ half: UInt64) -> String {
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  public static func < (one: Self, other: Self) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an id is 32 hexadecimal digits")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
