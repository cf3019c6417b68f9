/// A reading of one host's CLOCK_MONOTONIC_RAW.
///
/// This is the only domain in which clocks are estimated: CLOCK_MONOTONIC is bent by whoever
/// disciplines the host, CLOCK_REALTIME steps. A reading means nothing on another host, nor on
/// the same host after a reboot.
public struct HostInstant: Hashable, Sendable, InstantProtocol {
  /// The reading, in nanoseconds since an origin that the host alone knows (its boot, as a rule).
  public let nanoseconds: Int64

  /// Makes an instant of a reading in nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public func advanced(by duration: Duration) -> HostInstant {
    HostInstant(nanoseconds: nanoseconds + duration.wholeNanoseconds)
  }

  public func duration(to other: HostInstant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  public static func < (one: HostInstant, other: HostInstant) -> Bool {
    one.nanoseconds < other.nanoseconds
  }
}

extension HostInstant: CustomStringConvertible {
  public var description: String { "host \(nanoseconds) ns" }
}

extension HostInstant: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(nanoseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }
}

extension HostInstant {
  public static func + (instant: HostInstant, duration: Duration) -> HostInstant {
    instant.advanced(by: duration)
  }

  public static func - (instant: HostInstant, duration: Duration) -> HostInstant {
    instant.advanced(by: .zero - duration)
  }

  public static func - (end: HostInstant, start: HostInstant) -> Duration {
    start.duration(to: end)
  }
}
