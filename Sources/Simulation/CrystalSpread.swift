internal import Units

/// How unlike the crystals of a fleet's hosts are.
public struct CrystalSpread: Hashable, Sendable {
  /// The largest rate, either way, in parts per million.
  public let ratePartsPerMillion: Double
  /// How far a rate swings about its mean, in parts per million, and how slowly.
  public let wanderPartsPerMillion: Double
  public let wanderPeriods: ClosedRange<Double>
  /// The latest reading of a clock at the world's time zero, in seconds.
  public let latestOriginSeconds: Double

  /// Makes a spread; periods are in seconds, and positive.
  public init(
    ratePartsPerMillion: Double = 60, wanderPartsPerMillion: Double = 0.05,
    wanderPeriods: ClosedRange<Double> = 400...800, latestOriginSeconds: Double = 40_000
  ) {
    precondition(wanderPeriods.lowerBound >= 1, "a crystal swings slowly: \(wanderPeriods)")
    self.ratePartsPerMillion = ratePartsPerMillion
    self.wanderPartsPerMillion = wanderPartsPerMillion
    self.wanderPeriods = wanderPeriods
    self.latestOriginSeconds = latestOriginSeconds
  }

  /// The clocks of one host, drawn from a world's chance. REALTIME is as good as NTP keeps it on a
  /// network: within 50 ms, and within 2 ppm of the truth in rate.
  func clocks(in world: World) -> HostClocks {
    let rate = ClockRate(partsPerMillion: ratePartsPerMillion * (2 * world.random() - 1))
    let width = wanderPeriods.upperBound - wanderPeriods.lowerBound
    let oscillator = Oscillator(
      origin: HostInstant(
        nanoseconds: 1_000_000_000_000 + Int64(world.random() * latestOriginSeconds * 1e9)),
      rate: rate, wander: ClockRate(partsPerMillion: wanderPartsPerMillion),
      wanderPeriod: .seconds(Int64(wanderPeriods.lowerBound + width * world.random())))
    let unix = 1_800_000_000_000_000_000 + Int64((2 * world.random() - 1) * 5e7)
    let discipline = ClockRate(
      partsPerMillion: 4 * world.random() - 2 - rate.partsPerMillion)
    return HostClocks(oscillator: oscillator, unixNanoseconds: unix, discipline: discipline)
  }
}
