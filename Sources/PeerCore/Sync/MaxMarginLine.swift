/// The line between two clouds of points with the widest margin: the clocks' offset and skew.
///
/// Each exchange bounds the offset θ(x) of the other clock from both sides: f = t2 − t1 lies above
/// it by the delay there, r = t4 − t3 above −θ by the delay back. With x ≤ 0 the time relative to
/// now and ρ|x| loosening what is old, the skew s that maximises
///
///     G(s) = min(f − s·x + ρ|x|) + min(r + s·x + ρ|x|)
///
/// is the exponential-delay maximum-likelihood estimate; the offset now is half the difference of
/// the two minima. G is concave, so golden section finds its top. Floors need to be hit in each
/// direction separately, not in one exchange: so load in one direction does no harm.
///
/// After Moon, Skelly and Towsley, "Estimation and removal of clock skew from network delay
/// measurements" (1999), made two-sided, and the hard-margin case of Huygens (Geng et al., 2018).
struct MaxMarginLine: Sendable {
  /// A bound from one direction: at time `x` in nanoseconds relative to now, `value`.
  struct Point: Sendable {
    let x: Double
    let value: Double
  }

  /// What the fit found.
  struct Fit: Sendable {
    /// The offset now, in nanoseconds.
    let offset: Double
    /// The skew, as a fraction.
    let skew: Double
    /// The least of either direction along the line, in nanoseconds.
    let forwardFloor: Double
    let reverseFloor: Double
    /// How far the offset may be off, in nanoseconds.
    let offsetDoubt: Double
    /// How far the skew may be off, as a fraction.
    let skewDoubt: Double
    /// The round trip of the two floors, in nanoseconds.
    var floor: Double { forwardFloor + reverseFloor }
  }

  /// The lower hulls of both directions; no `x` is above 0.
  let forward: [Point]
  let reverse: [Point]
  /// ρ, as a fraction.
  let ageing: Double
  /// The rate expected, its standard deviation, and the largest there can be; as fractions.
  let prior: Double
  let priorDeviation: Double
  let limit: Double
  /// By how much a minimum over the points lies above the true floor in the mean, in
  /// nanoseconds: with exponential delays the mean delay over the number of points.
  let scale: Double

  /// The best line, and how far from it a line may lie whose likelihood is e^−`evidence` of the
  /// best one's. Both directions have a point, at least.
  func fit(evidence: Double) -> Fit {
    precondition(!forward.isEmpty && !reverse.isEmpty, "a line needs a point in each direction")
    let skew = bestSkew()
    let best = minima(at: skew)
    let offset = (best.forward - best.reverse) / 2
    let margin = evidence * scale
    let level = objective(skew) - margin
    var doubt = margin / 2
    var skewDoubt = 0.0
    for side in [-1.0, 1.0] {
      let reach = self.reach(from: skew, side: side, level: level)
      skewDoubt = max(skewDoubt, reach)
      let edge = minima(at: skew + side * reach)
      doubt = max(doubt, abs((edge.forward - edge.reverse) / 2 - offset))
      let middle = skew + side * reach / 2
      let half = minima(at: middle)
      let left = max(0, objective(middle) - level)
      doubt = max(doubt, abs((half.forward - half.reverse) / 2 - offset) + left / 2)
    }
    return Fit(
      offset: offset, skew: skew, forwardFloor: best.forward, reverseFloor: best.reverse,
      offsetDoubt: doubt, skewDoubt: skewDoubt)
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

  /// How far from `skew` towards `side` the objective stays above `level`.
  private func reach(from skew: Double, side: Double, level: Double) -> Double {
    var inside = 0.0
    var outside = max(0, limit - side * skew)
    for _ in 0..<30 where outside - inside > 1e-10 {
      // The reach is small as a rule: the search steps by powers before it halves.
      let next = inside == 0 ? outside / 16 : (inside + outside) / 2
      if objective(skew + side * next) >= level { inside = next } else { outside = next }
    }
    return outside
  }

  /// G(s), less what departing from the expected rate costs: its own log-likelihood.
  private func objective(_ skew: Double) -> Double {
    let departure = (skew - prior) / priorDeviation
    let least = minima(at: skew)
    return least.forward + least.reverse - scale * departure * departure / 2
  }

  /// The two minima under a skew. Since no x is above 0, ageing only tilts the lines.
  private func minima(at skew: Double) -> (forward: Double, reverse: Double) {
    (Self.least(of: forward, slope: skew + ageing), Self.least(of: reverse, slope: ageing - skew))
  }

  private static func least(of hull: [Point], slope: Double) -> Double {
    var least = Double.infinity
    for point in hull {
      let height = point.value - slope * point.x
      // Along a hull heights fall to the least and rise after it.
      if height > least { return least }
      least = height
    }
    return least
  }
}
