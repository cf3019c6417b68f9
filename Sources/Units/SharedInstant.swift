/// A reading of session time, which is the same on every host of a session.
///
/// Two shared instants compare only within one session; what crosses the wire or goes into a
/// file carries the session's id beside them.
public struct SharedInstant: Hashable, Sendable, InstantProtocol {
  /// The reading, in nanoseconds; within ±``limit``.
  public let nanoseconds: Int64

  /// The largest magnitude of a reading, 2^62 ns, which leaves room to add two of them.
  public static let limit: Int64 = 1 << 62

  /// The reading at which every session begins: one day, so that reaching back before the
  /// beginning never makes it negative.
  public static let sessionStart = SharedInstant(nanoseconds: 86_400_000_000_000)

  /// Makes an instant of a reading in nanoseconds that is known to lie within ±``limit``.
  public init(nanoseconds: Int64) {
    precondition(
      Self.holds(nanoseconds), "a shared instant lies within ±2^62 ns, not at \(nanoseconds)")
    self.nanoseconds = nanoseconds
  }

  /// Makes an instant of a reading that came from outside, or nothing where it is out of range.
  public init?(checking nanoseconds: Int64) {
    guard Self.holds(nanoseconds) else { return nil }
    self.nanoseconds = nanoseconds
  }

  private static func holds(_ nanoseconds: Int64) -> Bool {
    nanoseconds >= -limit && nanoseconds <= limit
  }

  public func advanced(by duration: Duration) -> SharedInstant {
    SharedInstant(nanoseconds: nanoseconds + duration.wholeNanoseconds)
  }

  public func duration(to other: SharedInstant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  public static func < (one: SharedInstant, other: SharedInstant) -> Bool {
    one.nanoseconds < other.nanoseconds
  }
}

extension SharedInstant: CustomStringConvertible {
  public var description: String { "shared \(nanoseconds) ns" }
}

extension SharedInstant: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let instant = SharedInstant(checking: try container.decode(Int64.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a shared instant lies within ±2^62 ns")
    }
    self = instant
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }
}

extension SharedInstant {
  public static func + (instant: SharedInstant, duration: Duration) -> SharedInstant {
    instant.advanced(by: duration)
  }

  public static func - (instant: SharedInstant, duration: Duration) -> SharedInstant {
    instant.advanced(by: .zero - duration)
  }

  public static func - (end: SharedInstant, start: SharedInstant) -> Duration {
    start.duration(to: end)
  }
}
