/// By how much one clock runs faster than another: zero when both run alike.
public struct ClockRate: Hashable, Sendable, Comparable {
  /// The excess as a plain fraction: 1e-6 is one part per million.
  public let fraction: Double

  /// The excess in parts per million.
  public var partsPerMillion: Double { fraction * 1e6 }

  /// Makes a rate of a plain fraction.
  public init(fraction: Double) { self.fraction = fraction }

  /// Makes a rate of parts per million.
  public init(partsPerMillion: Double) { fraction = partsPerMillion * 1e-6 }

  /// The rate of two clocks that run alike.
  public static let zero = ClockRate(fraction: 0)

  public static func < (one: ClockRate, other: ClockRate) -> Bool {
    one.fraction < other.fraction
  }
}

extension ClockRate: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(fraction: try decoder.singleValueContainer().decode(Double.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(fraction)
  }
}
