public import Units

/// What a process reads from its clocks when the skewed clock is preloaded into it.
///
/// With t the true time since `origin` in nanoseconds, the clock deviates by
///
///     d(t) = ppm·10⁻⁶·t + wander·sin(2πt / period)
///
/// beside its constant offset. The preloaded library computes the same in C; a test holds the
/// two together.
public struct SkewedClockModel: Hashable, Sendable, Codable {
  public let origin: TrueInstant
  /// By how much the clock is fast, in parts per million.
  public let partsPerMillion: Double
  /// How far it swings about its line, in nanoseconds.
  public let wanderNanoseconds: Double
  /// How long one swing takes, in seconds; above 0.
  public let wanderPeriodSeconds: Double
  /// What CLOCK_MONOTONIC_RAW is set off by, in nanoseconds.
  public let rawOffsetNanoseconds: Int64
  /// What CLOCK_REALTIME is set off by, in nanoseconds.
  public let realtimeOffsetNanoseconds: Int64

  /// Makes the model of its parts.
  public init(
    origin: TrueInstant, partsPerMillion: Double = 0, wanderNanoseconds: Double = 0,
    wanderPeriodSeconds: Double = 60, rawOffsetNanoseconds: Int64 = 0,
    realtimeOffsetNanoseconds: Int64 = 0
  ) {
    precondition(wanderPeriodSeconds > 0, "a swing takes time, not \(wanderPeriodSeconds) s")
    self.origin = origin
    self.partsPerMillion = partsPerMillion
    self.wanderNanoseconds = wanderNanoseconds
    self.wanderPeriodSeconds = wanderPeriodSeconds
    self.rawOffsetNanoseconds = rawOffsetNanoseconds
    self.realtimeOffsetNanoseconds = realtimeOffsetNanoseconds
  }

  /// What the process reads from CLOCK_MONOTONIC_RAW at `instant`, to the nanosecond.
  public func host(at instant: TrueInstant) -> HostInstant {
    let deviation = Int64(deviationNanoseconds(at: instant).rounded(.toNearestOrEven))
    return HostInstant(nanoseconds: instant.nanoseconds + rawOffsetNanoseconds + deviation)
  }

  /// When the process's CLOCK_MONOTONIC_RAW reads `reading`, to the nanosecond.
  public func instant(at reading: HostInstant) -> TrueInstant {
    let straight = reading.nanoseconds - rawOffsetNanoseconds
    var instant = TrueInstant(nanoseconds: straight)
    // The deviation changes by parts in a million of a step: each round gains four digits or more.
    for _ in 0..<6 {
      let deviation = deviationNanoseconds(at: instant)
      instant = TrueInstant(nanoseconds: straight - Int64(deviation.rounded(.toNearestOrEven)))
    }
    return instant
  }

  /// How far the clock is from true time and its offset, in nanoseconds.
  public func deviationNanoseconds(at instant: TrueInstant) -> Double {
    let elapsed = Double(instant.nanoseconds - origin.nanoseconds)
    let swing = Turn.sine(elapsed / (wanderPeriodSeconds * 1e9))
    return partsPerMillion * 1e-6 * elapsed + wanderNanoseconds * swing
  }

  /// The environment that makes the preloaded library deviate so.
  public var environment: [String: String] {
    [
      "SKEWED_CLOCK_ORIGIN_NS": "\(origin.nanoseconds)",
      "SKEWED_CLOCK_PPM": "\(partsPerMillion)",
      "SKEWED_CLOCK_WANDER_NS": "\(wanderNanoseconds)",
      "SKEWED_CLOCK_WANDER_PERIOD_S": "\(wanderPeriodSeconds)",
      "SKEWED_CLOCK_RAW_OFFSET_NS": "\(rawOffsetNanoseconds)",
      "SKEWED_CLOCK_OFFSET_NS": "\(realtimeOffsetNanoseconds)",
    ]
  }
}
