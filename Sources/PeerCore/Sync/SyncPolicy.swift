public import Units

/// The numbers of the estimator.
public struct SyncPolicy: Sendable {
  /// How far back exchanges count.
  public let window: Duration
  /// By how much a point's constraint is loosened with its age, at least: what any oscillator may
  /// wander. ``Restlessness`` finds out how much these do.
  public let ageing: ClockRate
  /// The standard deviation of the rate between two oscillators before anything is measured.
  public let ratePrior: ClockRate
  /// The rates beyond which no search goes.
  public let rateLimit: ClockRate
  /// After how long without a delay near the floors the path is taken to have changed.
  public let floorPatience: Duration
  /// In how many of the newest seconds with exchanges that must have been so.
  public let floorPatienceSeconds: Int
  /// What stamps of the kernel may hide, in nanoseconds: four conversions of a stamp to host time err
  /// by up to 10 ns each, and an offset is half of their sum.
  public let kernelAllowanceNanoseconds: Double
  /// What a stamp taken at queueing may hide, in nanoseconds.
  public let scheduledAllowanceNanoseconds: Double
  /// What a stamp taken in user space may hide, in nanoseconds.
  public let userSpaceAllowanceNanoseconds: Double

  /// The policy as measured on wired, wireless and loaded networks; see `docs/time.md`.
  public init(
    window: Duration = .seconds(300), ageing: ClockRate = ClockRate(partsPerMillion: 0.2),
    ratePrior: ClockRate = ClockRate(partsPerMillion: 50),
    rateLimit: ClockRate = ClockRate(partsPerMillion: 500),
    floorPatience: Duration = .seconds(30), floorPatienceSeconds: Int = 30,
    kernelAllowanceNanoseconds: Double = 20, scheduledAllowanceNanoseconds: Double = 2_000,
    userSpaceAllowanceNanoseconds: Double = 15_000
  ) {
    precondition(window >= .seconds(2), "a window spans two seconds or more")
    precondition(ageing.fraction > 0 && ratePrior.fraction > 0, "rates of a policy are positive")
    precondition(rateLimit.fraction > ratePrior.fraction, "the limit lies beyond the prior")
    precondition(floorPatienceSeconds > 0, "patience is a second or more")
    self.window = window
    self.ageing = ageing
    self.ratePrior = ratePrior
    self.rateLimit = rateLimit
    self.floorPatience = floorPatience
    self.floorPatienceSeconds = floorPatienceSeconds
    self.kernelAllowanceNanoseconds = kernelAllowanceNanoseconds
    self.scheduledAllowanceNanoseconds = scheduledAllowanceNanoseconds
    self.userSpaceAllowanceNanoseconds = userSpaceAllowanceNanoseconds
  }
}
