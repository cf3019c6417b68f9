import Units

/// A Kalman filter over single exchanges, for paths whose floors are sharp.
///
/// On a wire a third of all exchanges take the least round trip to some nanoseconds, and the floor
/// is a bell rather than an edge: there the mean of many says more than the lowest of them. The
/// filter has two states, offset and skew; an exchange counts the less the longer it took, since
/// any part of the excess may lie in either direction. On other paths it is of no use:
/// see `docs/decisions/one-line.md`.
struct OffsetFilter: Sendable {
  /// The deviation of an exchange at the floor, in nanoseconds.
  static let noise = 8.0
  /// How fast the skew wanders for each unit of ρ: nanoseconds per second to the power of 1.5, for
  /// a ρ in nanoseconds per second.
  static let restlessness = 0.1
  /// How many round trips the floor is told from, and the share of them that lies below it.
  static let memory = 64
  static let floorShare = 0.1
  /// By how much the next fifth of them may lie above, in nanoseconds, for a floor to be sharp.
  static let sharpness = 150.0
  /// After how long without an exchange it begins anew, in nanoseconds: oscillators do not wander
  /// by chance alone, as the filter has it.
  static let longestGap: Int64 = 3_000_000_000
  /// By how much the bound grows with the time within such a gap, in units of ρ, beside what the
  /// skew's doubt adds: ``width`` deviations of what the skew wanders by in three seconds.
  static let nearGrowth = 0.4
  /// How many exchanges there must be before the filter says anything.
  static let leastCount = 40
  /// How many deviations its bound has.
  static let width = 3.5

  /// In nanoseconds, seconds, and nanoseconds per second.
  private var offset = 0.0
  private var skew = 0.0
  private var time: Int64 = 0
  private var offsetVariance = 0.0
  private var covariance = 0.0
  private var skewVariance = 0.0
  private var roundTrips: [Double] = []
  /// The same, ascending.
  private var sorted: [Double] = []
  private var isSharp = false
  private(set) var count = 0

  /// What the filter knows at the time of its newest exchange.
  struct Reading: Sendable {
    /// In nanoseconds of host time.
    let at: Int64
    /// In nanoseconds, and how far it may be off.
    let offset: Double
    let offsetDoubt: Double
    /// As fractions.
    let skew: Double
    let skewDoubt: Double
  }

  /// What is known; nothing before there were enough exchanges, or where the floor is not sharp.
  var reading: Reading? {
    guard isSharp, count >= Self.leastCount else { return nil }
    return Reading(
      at: time, offset: offset, offsetDoubt: Self.width * offsetVariance.squareRoot(),
      skew: skew * 1e-9, skewDoubt: Self.width * skewVariance.squareRoot() * 1e-9)
  }

  /// Takes an exchange in that ended at `instant`: its `offset` and `roundTrip` in nanoseconds;
  /// the rate that was expected before the first and its deviation, as fractions; and ρ.
  mutating func add(
    offset measured: Double, roundTrip: Double, at instant: Int64, prior: Double,
    priorDeviation: Double, ageing: Double
  ) {
    if count > 0, instant - time > Self.longestGap { self = OffsetFilter() }
    if count == 0 {
      time = instant
      offset = measured
      offsetVariance = roundTrip * roundTrip
      skew = prior * 1e9
      skewVariance = priorDeviation * priorDeviation * 1e18
    }
    count += 1
    predict(to: max(time, instant), wander: Self.restlessness * ageing * 1e9)
    let excess = max(0, roundTrip - floor(with: roundTrip))
    correct(by: measured, variance: Self.noise * Self.noise + excess * excess / 4)
  }

  private mutating func predict(to instant: Int64, wander: Double) {
    let elapsed = Double(instant - time) * 1e-9
    time = instant
    let power = wander * wander
    offset += skew * elapsed
    offsetVariance +=
      elapsed * (2 * covariance + elapsed * (skewVariance + power * elapsed / 3))
    covariance += elapsed * (skewVariance + power * elapsed / 2)
    skewVariance += power * elapsed
  }

  private mutating func correct(by measured: Double, variance: Double) {
    let surprise = measured - offset
    let sum = offsetVariance + variance
    let (gain, skewGain) = (offsetVariance / sum, covariance / sum)
    offset += gain * surprise
    skew += skewGain * surprise
    skewVariance -= skewGain * covariance
    covariance *= 1 - gain
    offsetVariance *= 1 - gain
  }

  /// The round trip that only a tenth of the newest stay below; tells whether it is sharp.
  private mutating func floor(with roundTrip: Double) -> Double {
    if roundTrips.count == Self.memory {
      sorted.remove(at: place(of: roundTrips.removeFirst()))
    }
    roundTrips.append(roundTrip)
    sorted.insert(roundTrip, at: place(of: roundTrip))
    let floor = sorted[Int(Double(sorted.count) * Self.floorShare)]
    isSharp = sorted[Int(Double(sorted.count) * Self.floorShare * 3)] - floor < Self.sharpness
    return floor
  }

  /// The first place among the sorted that holds no less than `roundTrip`.
  private func place(of roundTrip: Double) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < roundTrip { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
