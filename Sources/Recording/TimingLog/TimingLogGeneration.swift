public import Units

/// A new generation of the clock map: shared time may have stepped.
public struct TimingLogGeneration: Hashable, Sendable, Codable {
  /// When, by this host's clock.
  public let host: HostInstant
  /// The new generation.
  public let generation: UInt32
  /// Why, in a word or two.
  public let reason: String

  /// Makes an entry of its parts.
  public init(
    host: HostInstant, generation: UInt32, reason: String
  ) {
    self.host = host
    self.generation = generation
    self.reason = reason
  }

  private enum CodingKeys: String, CodingKey {
    case host = "host_ns"
    case generation
    case reason
  }
}
