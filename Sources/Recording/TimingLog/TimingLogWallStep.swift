public import Units

/// The host's wall clock was set: a note, since nothing is measured by it.
public struct TimingLogWallStep: Hashable, Sendable, Codable {
  /// When that was noticed, by this host's clock.
  public let host: HostInstant
  /// By how much it was set on, negative for back.
  public let stepNanoseconds: Int64
  /// What it reads now: nanoseconds since 1970-01-01T00:00:00 UTC.
  public let unixNanoseconds: Int64

  /// Makes an entry of its parts.
  public init(host: HostInstant, stepNanoseconds: Int64, unixNanoseconds: Int64) {
    self.host = host
    self.stepNanoseconds = stepNanoseconds
    self.unixNanoseconds = unixNanoseconds
  }

  private enum CodingKeys: String, CodingKey {
    case host = "host_ns"
    case stepNanoseconds = "step_ns"
    case unixNanoseconds = "unix_ns"
  }
}
