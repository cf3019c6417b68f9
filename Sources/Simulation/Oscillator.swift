public import Units

/// A host's clock: an origin, a rate that is off, and a slow wander about it.
public struct Oscillator: Hashable, Sendable {
  /// What the clock reads at the world's time zero.
  public let origin: HostInstant
  public let rate: ClockRate
  /// The largest deviation of the rate by wandering.
  public let wander: ClockRate
  public let wanderPeriod: Duration
  /// Radians of the wander in a nanosecond, and how far it carries the clock, in nanoseconds.
  private let omega: Double
  private let reach: Double

  /// Makes an oscillator; the period is positive.
  public init(
    origin: HostInstant, rate: ClockRate, wander: ClockRate = .zero,
    wanderPeriod: Duration = .seconds(600)
  ) {
    precondition(wanderPeriod > .zero, "a period is positive")
    self.origin = origin
    self.rate = rate
    self.wander = wander
    self.wanderPeriod = wanderPeriod
    omega = 2 * Double.pi / (wanderPeriod.inSeconds * 1e9)
    reach = wander.fraction / omega
  }

  /// What the clock reads at the true time `nanoseconds`.
  public func host(atTrueNanoseconds nanoseconds: Int64) -> HostInstant {
    let time = Double(nanoseconds)
    let drift = time * rate.fraction + wandered(at: time)
    return HostInstant(
      nanoseconds: origin.nanoseconds + nanoseconds + Int64(drift.rounded()))
  }

  /// The true time, in nanoseconds, at which the clock first reads `instant` or more.
  public func trueNanoseconds(at instant: HostInstant) -> Int64 {
    var time = instant.nanoseconds - origin.nanoseconds
    for _ in 0..<4 {
      let rest = instant.nanoseconds - host(atTrueNanoseconds: time).nanoseconds
      if rest == 0 { return time }
      time += rest
    }
    while host(atTrueNanoseconds: time) < instant { time += 1 }
    return time
  }

  private func wandered(at time: Double) -> Double {
    wander.fraction == 0 ? 0 : reach * sine(omega * time)
  }
}
