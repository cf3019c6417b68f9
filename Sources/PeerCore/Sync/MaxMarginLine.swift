/// The line between two clouds of points with the widest margin: the clocks' offset and skew.
///
/// Each exchange bounds the offset θ(x) of the other clock from both sides: f = t2 − t1 lies above
/// it by the delay there, r = t4 − t3 above −θ by the delay back. With x ≤ 0 the time relative to
/// now and ρ|x| loosening what is old, the skew s that maximises
///
///     G(s) = min(f − s·x + ρ|x|) + min(r + s·x + ρ|x|)
///
/// is the exponential-delay maximum-likelihood estimate where both directions are alike; the offset
/// now is half the difference of the two minima. Where one is loaded, the other has the more say,
/// as its density has it. G is concave, so golden section finds its top. Floors need to be hit in
/// each direction separately, not in one exchange: so load in one direction does little harm.
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
  let forwardDensity: FloorDensity
  let reverseDensity: FloorDensity
  /// What a height of either direction counts in: its own scale where it is much the sharper, else
  /// that of both, since small differences are chance.
  private let forwardUnit: Double
  private let reverseUnit: Double
  /// The middle of the time in which observations count: from the newest that lie low in both
  /// directions back to where ageing has lifted them by more than the scale.
  private let centre: Double

  /// Makes a line of its points, none of which may be missing, and of what is known besides.
  init(
    forward: [Point], reverse: [Point], ageing: Double, prior: Double, priorDeviation: Double,
    limit: Double, forwardDensity: FloorDensity, reverseDensity: FloorDensity
  ) {
    precondition(!forward.isEmpty && !reverse.isEmpty, "a line needs a point in each direction")
    self.forward = forward
    self.reverse = reverse
    self.ageing = ageing
    self.prior = prior
    self.priorDeviation = priorDeviation
    self.limit = limit
    self.forwardDensity = forwardDensity
    self.reverseDensity = reverseDensity
    let both = (forwardDensity.scale + reverseDensity.scale) / 2
    forwardUnit = min(Self.likeness * forwardDensity.scale, both)
    reverseUnit = min(Self.likeness * reverseDensity.scale, both)
    let newest = (forwardDensity.newest + reverseDensity.newest) / 2
    let memory = max(forwardDensity.scale, reverseDensity.scale) / ageing
    centre = (newest + max(newest - memory, min(forward[0].x, reverse[0].x))) / 2
  }

  /// The weight of what is not aged.
  private static let say = 0.1
  /// How much sharper than both together a direction may be and still count like the other.
  private static let likeness = 2.0
  /// ρ where nothing is to age; not nought, so that the newest point wins a tie.
  private static let hardly = 1e-9

  /// The widest straight strip between the points of some seconds, without ageing, near a skew that
  /// is known to a ppm.
  static func straight(
    forward: DelayFloor, reverse: DelayFloor, near skew: Double, at now: Int64
  ) -> Fit {
    let count = Restlessness.pointCount
    let ahead = forward.lowest(count, slope: skew, ageing: hardly, from: now)
    let back = reverse.lowest(count, slope: -skew, ageing: hardly, from: now)
    let line = MaxMarginLine(
      forward: forward.hull(from: now), reverse: reverse.hull(from: now), ageing: hardly,
      prior: skew, priorDeviation: 1e-6, limit: max(5e-4, 2 * abs(skew)),
      forwardDensity: FloorDensity(lowest: ahead, roundTrip: 0, other: back),
      reverseDensity: FloorDensity(lowest: back, roundTrip: 0, other: ahead))
    return line.fit(evidence: 1)
  }

  /// The best line, and how far from it a line may lie whose likelihood is e^−`evidence` of the
  /// best one's.
  func fit(evidence: Double) -> Fit {
    let skew = bestSkew()
    let best = minima(at: skew)
    let level = objective(skew) - evidence
    let below = reach(from: skew, side: -1, level: level)
    let above = reach(from: skew, side: 1, level: level)
    // The range of believable lines is convex; its corners and the middles of its sides tell.
    let doubt = [-below, -below / 2, 0, above / 2, above].map { departure in
      let other = minima(at: skew + departure)
      let left = max(0, objective(skew + departure) - level)
      let unit = max(forwardDensity.scale, reverseDensity.scale) / 2
      return abs(other.offset - best.offset) + left * unit
    }
    return Fit(
      offset: best.offset - (forwardDensity.excess - reverseDensity.excess) / 2, skew: skew,
      forwardFloor: best.forward, reverseFloor: best.reverse,
      offsetDoubt: (doubt.max() ?? 0) + wander(at: skew), skewDoubt: max(below, above))
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

  /// The log-likelihood of a skew: the height of either floor in units of what chance adds to it,
  /// less what departing from the expected rate costs.
  ///
  /// The heights are those at the ``centre`` of the time that counts. Where both directions count
  /// alike it drops out; where they do not, heights at any other time would tilt the line.
  private func objective(_ skew: Double) -> Double {
    let departure = (skew - prior) / priorDeviation
    let least = minima(at: skew)
    // For skews within ±ρ of one another G can be level, the newest points having the say alone:
    // there the same points without ageing decide, with a say too small to bend the line.
    let ahead = least.forward + Self.say * Self.least(of: forward, slope: skew).height
    let back = least.reverse + Self.say * Self.least(of: reverse, slope: -skew).height
    let turn = (1 + Self.say) * skew * centre
    return (ahead + turn) / forwardUnit + (back - turn) / reverseUnit
      - departure * departure / 2
  }

  /// What the oscillators may have wandered since the older of the points that the line rests on.
  /// A rate that drifts takes an offset further than chance does: so twice ρ, as for the future.
  private func wander(at skew: Double) -> Double {
    let best = minima(at: skew)
    return 2 * ageing * max(abs(best.forwardAt), abs(best.reverseAt))
  }

  /// The least heights of both directions, and the times of the points that have them.
  private struct Minima {
    let forward: Double
    let forwardAt: Double
    let reverse: Double
    let reverseAt: Double
    var offset: Double { (forward - reverse) / 2 }
  }

  /// The two minima under a skew. Since no x is above 0, ageing only tilts the lines.
  private func minima(at skew: Double) -> Minima {
    let ahead = Self.least(of: forward, slope: skew + ageing)
    let back = Self.least(of: reverse, slope: ageing - skew)
    return Minima(
      forward: ahead.height, forwardAt: ahead.x, reverse: back.height, reverseAt: back.x)
  }

  private static func least(of hull: [Point], slope: Double) -> (height: Double, x: Double) {
    var least = (height: Double.infinity, x: 0.0)
    for point in hull {
      let height = point.value - slope * point.x
      // Along a hull heights fall to the least and rise after it.
      if height > least.height { return least }
      least = (height, point.x)
    }
    return least
  }
}
