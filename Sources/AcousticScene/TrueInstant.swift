/// A reading of the machine's CLOCK_MONOTONIC_RAW past anything preloaded: what time it truly is.
///
/// The product never sees one. Virtual cards count by it, skewed clocks deviate from it, and the
/// check of a take judges by it.
public struct TrueInstant: Hashable, Comparable, Sendable, Codable {
  /// The reading, in nanoseconds since an origin that the machine alone knows.
  public let nanoseconds: Int64

  /// Makes an instant of a reading in nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The seconds of true time from `origin` to this instant.
  public func seconds(since origin: TrueInstant) -> Double {
    Double(nanoseconds - origin.nanoseconds) * 1e-9
  }

  /// The instant `seconds` of true time later, to the nanosecond.
  public func advanced(bySeconds seconds: Double) -> TrueInstant {
    TrueInstant(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }

  public static func < (one: TrueInstant, other: TrueInstant) -> Bool {
    one.nanoseconds < other.nanoseconds
  }
}
