public import Units

/// A host's clock: an origin, a rate that is off, and a slow wander about it.
public struct Oscillator: Hashable, Sendable {
  /// What the clock reads at the world's time zero.
  public let origin: HostInstant
  public let rate: ClockRate
  /// The largest deviation of the rate by wandering.
  public let wander: ClockRate
  public let wanderPeriod: Duration

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
      time += instant.nanoseconds - host(atTrueNanoseconds: time).nanoseconds
    }
    while host(atTrueNanoseconds: time) < instant { time += 1 }
    return time
  }

  private func wandered(at time: Double) -> Double {
    guard wander.fraction != 0 else { return 0 }
    let omega = 2 * Double.pi / (wanderPeriod.inSeconds * 1e9)
    return wander.fraction / omega * sine(omega * time)
  }
}
