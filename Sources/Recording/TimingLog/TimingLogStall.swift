public import Units

/// The disk kept the writer waiting.
public struct TimingLogStall: Hashable, Sendable, Codable {
  /// When it went on, by this host's clock.
  public let host: HostInstant
  /// For how long it had waited.
  public let durationNanoseconds: Int64
  /// The frames that were in the file by then.
  public let frame: Int64

  /// Makes an entry of its parts.
  public init(host: HostInstant, durationNanoseconds: Int64, frame: Int64) {
    self.host = host
    self.durationNanoseconds = durationNanoseconds
    self.frame = frame
  }

  private enum CodingKeys: String, CodingKey {
    case host = "host_ns"
    case durationNanoseconds = "duration_ns"
    case frame
  }
}
