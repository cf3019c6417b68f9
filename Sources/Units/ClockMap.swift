/// What a host knows of shared time: a line from its own clock to the session's, with bounds.
///
/// The bounds are two and never merged in silence: the *jitter bound* holds what measuring
/// leaves open, the *path limit* what an asymmetric path could hide from any measurement.
public struct ClockMap: Hashable, Sendable, Codable {
  public let session: SessionID
  /// Grows whenever the displayed time may have stepped.
  public let generation: UInt32
  /// The host's reading at which the line is pinned.
  public let hostAnchor: HostInstant
  /// The shared reading at `hostAnchor`.
  public let sharedAnchor: SharedInstant
  /// By how much shared time runs faster than the host's clock.
  public let skew: ClockRate
  /// The jitter bound at `hostAnchor`, in nanoseconds, 0 or more.
  public let jitterBoundNanoseconds: Int64
  /// What asymmetry of the path could hide, in nanoseconds: half the floor round trip.
  public let pathLimitNanoseconds: Int64
  /// By how much the jitter bound grows with the distance from `hostAnchor`.
  public let boundGrowth: ClockRate

  /// Makes a map of its parts.
  public init(
    session: SessionID, generation: UInt32, hostAnchor: HostInstant, sharedAnchor: SharedInstant,
    skew: ClockRate, jitterBoundNanoseconds: Int64, pathLimitNanoseconds: Int64,
    boundGrowth: ClockRate
  ) {
    self.session = session
    self.generation = generation
    self.hostAnchor = hostAnchor
    self.sharedAnchor = sharedAnchor
    self.skew = skew
    self.jitterBoundNanoseconds = jitterBoundNanoseconds
    self.pathLimitNanoseconds = pathLimitNanoseconds
    self.boundGrowth = boundGrowth
  }

  /// Shared time when this host's clock reads `instant`, to the nanosecond.
  public func shared(at instant: HostInstant) -> SharedInstant {
    let elapsed = instant.nanoseconds - hostAnchor.nanoseconds
    let correction = (Double(elapsed) * skew.fraction).rounded()
    return SharedInstant(nanoseconds: sharedAnchor.nanoseconds + elapsed + Int64(correction))
  }

  /// This host's reading at the shared time `instant`, to the nanosecond.
  public func host(at instant: SharedInstant) -> HostInstant {
    let elapsed = instant.nanoseconds - sharedAnchor.nanoseconds
    let correction = (Double(elapsed) * (-skew.fraction / (1 + skew.fraction))).rounded()
    return HostInstant(nanoseconds: hostAnchor.nanoseconds + elapsed + Int64(correction))
  }

  /// The jitter bound when this host's clock reads `instant`, in nanoseconds.
  public func jitterBoundNanoseconds(at instant: HostInstant) -> Int64 {
    let distance = Double((instant.nanoseconds - hostAnchor.nanoseconds).magnitude)
    return jitterBoundNanoseconds + Int64((distance * boundGrowth.fraction).rounded(.up))
  }

  /// Jitter bound and path limit together at `instant`, in nanoseconds: this holds everywhere.
  public func boundNanoseconds(at instant: HostInstant) -> Int64 {
    jitterBoundNanoseconds(at: instant) + pathLimitNanoseconds
  }
}
