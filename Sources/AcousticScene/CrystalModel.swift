/// What paces a virtual card: a count of true time with a rate and a slow wander of its own.
///
/// With t the true seconds since `origin`, the crystal has counted
///
///     n(t) = rate · ((1 + ppm·10⁻⁶)·t + wander·10⁻⁶·P/2π·(1 − cos(2πt/P)))
///
/// The virtual card computes the same in C; a test holds the two together.
public struct CrystalModel: Hashable, Sendable, Codable {
  public let origin: TrueInstant
  /// Nominal counts a second.
  public let rateHertz: Double
  /// By how much the crystal is fast, in parts per million.
  public let partsPerMillion: Double
  /// How far its rate swings, in parts per million.
  public let wanderPartsPerMillion: Double
  /// How long one swing takes, in seconds; above 0.
  public let wanderPeriodSeconds: Double

  /// Makes the model of its parts.
  public init(
    origin: TrueInstant, rateHertz: Double, partsPerMillion: Double = 0,
    wanderPartsPerMillion: Double = 0, wanderPeriodSeconds: Double = 60
  ) {
    precondition(rateHertz > 0 && wanderPeriodSeconds > 0, "a rate and a period are above 0")
    self.origin = origin
    self.rateHertz = rateHertz
    self.partsPerMillion = partsPerMillion
    self.wanderPartsPerMillion = wanderPartsPerMillion
    self.wanderPeriodSeconds = wanderPeriodSeconds
  }

  /// The count after `seconds` of true time since `origin`; whole where a frame is taken.
  public func count(afterSeconds seconds: Double) -> Double {
    let lever = wanderPartsPerMillion * 1e-6 * wanderPeriodSeconds / (2 * Double.pi)
    let swung = lever * (1 - Turn.cosine(seconds / wanderPeriodSeconds))
    return rateHertz * ((1 + partsPerMillion * 1e-6) * seconds + swung)
  }

  /// The count at `instant`.
  public func count(at instant: TrueInstant) -> Double {
    count(afterSeconds: instant.seconds(since: origin))
  }

  /// When the crystal reaches `count`, in seconds of true time since `origin`.
  public func seconds(untilCount count: Double) -> Double {
    var seconds = count / (rateHertz * (1 + partsPerMillion * 1e-6))
    // The count is a line but for parts in a million: each step gains six digits.
    for _ in 0..<4 {
      seconds -= (self.count(afterSeconds: seconds) - count) / rateHertz
    }
    return seconds
  }

  /// By how much the crystal counts fast against true time between two instants, in parts per
  /// million.
  public func meanPartsPerMillion(from start: TrueInstant, to end: TrueInstant) -> Double {
    let counted = count(at: end) - count(at: start)
    return (counted / (rateHertz * end.seconds(since: start)) - 1) * 1e6
  }
}
