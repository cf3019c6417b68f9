/// The line between two clouds of points with the widest margin: the clocks' offset and skew.
///
/// Each exchange bounds the offset θ(x) of the other clock from both sides: f = t2 − t1 lies above
/// it by the delay there, r = t4 − t3 above −θ by the delay back. With x the time relative to an
/// origin (now) and ρ|x| loosening what is old, the skew s that maximises
///
///     G(s) = min(f − s·x + ρ|x|) + min(r + s·x + ρ|x|)
///
/// is the exponential-delay maximum-likelihood estimate; the offset at the origin is half the
/// difference of the two minima. G is concave, so golden section finds its top. Floors need to be
/// hit in each direction separately, not in one exchange: so load in one direction does no harm.
///
/// After Moon, Skelly and Towsley, "Estimation and removal of clock skew from network delay
/// measurements" (1999), made two-sided, and the hard-margin case of Huygens (Geng et al., 2018).
struct MaxMarginLine: Sendable {
  /// A bound from one direction: at time `x` in nanoseconds relative to the origin, `value`.
  struct Point: Sendable {
    let x: Double
    let value: Double
  }

  /// What the fit found.
  struct Fit: Sendable {
    /// The offset at the origin, in nanoseconds.
    let offset: Double
    /// The skew, as a fraction.
    let skew: Double
    /// The sum of both minima, in nanoseconds: the round trip of the two floors.
    let floor: Double
    /// How far the third-lowest points lie above the lowest, forward and back, in nanoseconds:
    /// how well the floors are populated.
    let spread: Double
  }

  let forward: [Point]
  let reverse: [Point]
  /// ρ, as a fraction.
  let ageing: Double
  /// The rate expected, its standard deviation, and the largest there can be; as fractions.
  let prior: Double
  let priorDeviation: Double
  let limit: Double

  /// The best line. Both directions have a point, at least.
  func fit() -> Fit {
    precondition(!forward.isEmpty && !reverse.isEmpty, "a line needs a point in each direction")
    let skew = bestSkew()
    let ahead = lowest(of: forward, slope: -skew)
    let back = lowest(of: reverse, slope: skew)
    // Where the floor is fuzzy a single lowest point is luck: the mean of three is steadier. It is
    // taken on both sides or on neither, so that it shifts no offset.
    let fuzzy = min(ahead.count, back.count) == 3 && ahead.spread + back.spread > 2_000
    let front = fuzzy ? ahead.mean : ahead.first
    let rear = fuzzy ? back.mean : back.first
    return Fit(
      offset: (front - rear) / 2, skew: skew, floor: ahead.first + back.first,
      spread: ahead.spread + back.spread)
  }

  private func bestSkew() -> Double {
    // 1e-11 over a window of 300 s is 3 ns; from ±500 ppm that takes 39 steps.
    let ratio = 0.6180339887498949
    var low = -limit
    var high = limit
    var left = high - ratio * (high - low)
    var right = low + ratio * (high - low)
    var leftValue = objective(left)
    var rightValue = objective(right)
    for _ in 0..<60 where high - low > 1e-11 {
      if leftValue < rightValue {
        low = left
        (left, leftValue) = (right, rightValue)
        right = low + ratio * (high - low)
        rightValue = objective(right)
      } else {
        high = right
        (right, rightValue) = (left, leftValue)
        left = high - ratio * (high - low)
        leftValue = objective(left)
      }
    }
    return (low + high) / 2
  }

  /// G(s) less what departing from the prior costs: one standard deviation of rate costs a
  /// nanosecond of margin for each ten points there are not, so that it only decides ties.
  private func objective(_ skew: Double) -> Double {
    let departure = (skew - prior) / priorDeviation
    let cost = 2_000 * departure * departure / Double(forward.count + reverse.count)
    return minimum(of: forward, slope: -skew) + minimum(of: reverse, slope: skew) - cost
  }

  private func minimum(of points: [Point], slope: Double) -> Double {
    var least = Double.infinity
    for point in points {
      let value = point.value + slope * point.x + ageing * abs(point.x)
      if value < least { least = value }
    }
    return least
  }

  /// The up to three lowest values under a slope.
  private func lowest(
    of points: [Point], slope: Double
  ) -> (first: Double, mean: Double, spread: Double, count: Int) {
    var three = [Double.infinity, Double.infinity, Double.infinity]
    for point in points {
      let value = point.value + slope * point.x + ageing * abs(point.x)
      if value < three[0] {
        three = [value, three[0], three[1]]
      } else if value < three[1] {
        three = [three[0], value, three[1]]
      } else if value < three[2] {
        three[2] = value
      }
    }
    let found = three.filter(\.isFinite)
    let first = found[0]
    let spread = (found.last ?? first) - first
    return (first, found.reduce(0, +) / Double(found.count), spread, found.count)
  }
}
