public import Units

/// Where one frame lies in host time and in shared time, with the bounds.
public struct TimingLogClock: Hashable, Sendable, Codable {
  /// The frame, counted from the file's first.
  public let frame: Int64
  /// When it was taken, by the host's clock.
  public let host: HostInstant
  /// When it was taken, in shared time.
  public let shared: SharedInstant
  /// What measuring leaves open of host to shared time.
  public let jitterBoundNanoseconds: Int64
  /// What asymmetry of the path could hide.
  public let pathLimitNanoseconds: Int64
  /// What is open of frame to host time.
  public let cardBoundNanoseconds: Int64
  /// By how much the card runs faster than nominal by the host's clock.
  public let cardPPM: Double
  /// By how much shared time runs faster than the host's clock.
  public let skewPPM: Double
  /// The clock map's generation.
  public let generation: UInt32

  /// Makes an entry of its parts.
  public init(
    frame: Int64, host: HostInstant, shared: SharedInstant, jitterBoundNanoseconds: Int64,
    pathLimitNanoseconds: Int64, cardBoundNanoseconds: Int64, cardPPM: Double, skewPPM: Double,
    generation: UInt32
  ) {
    self.frame = frame
    self.host = host
    self.shared = shared
    self.jitterBoundNanoseconds = jitterBoundNanoseconds
    self.pathLimitNanoseconds = pathLimitNanoseconds
    self.cardBoundNanoseconds = cardBoundNanoseconds
    self.cardPPM = cardPPM
    self.skewPPM = skewPPM
    self.generation = generation
  }

  private enum CodingKeys: String, CodingKey {
    case frame
    case host = "host_ns"
    case shared = "shared_ns"
    case jitterBoundNanoseconds = "jitter_bound_ns"
    case pathLimitNanoseconds = "path_limit_ns"
    case cardBoundNanoseconds = "card_bound_ns"
    case cardPPM = "card_ppm"
    case skewPPM = "skew_ppm"
    case generation
  }
}
