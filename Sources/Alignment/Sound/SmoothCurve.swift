/// A smooth course through scattered points: at each place a parabola fitted to what lies around.
enum SmoothCurve {
  private static let places = 121
  /// The neighbourhood's width, in parts of the whole.
  private static let width = 0.06

  /// How much less than the line's a curve's spread must be, as variances, its freedom allowed
  /// for.
  private static let gain = 0.5
  /// Points that a curve uses up.
  private static let freedom = 14.0
  /// Below this, in samples, a curve is not told from a line.
  private static let least = 0.1

  /// The curve through `delays`, or nothing where a line through zero serves as well.
  static func fit(
    positions: [Double], delays: [Double], weights: [Double]
  ) -> [DelayModel.Knot]? {
    let known = positions.indices.filter { weights[$0] > 1e-3 }
    let count = effectiveCount(known.map { weights[$0] })
    guard count > 2 * freedom, let first = known.first, let last = known.last, last > first else {
      return nil
    }
    let (x, y) = (known.map { positions[$0] }, known.map { delays[$0] })
    let weights = known.map { weights[$0] }
    let grid = (0..<places).map {
      x[0] + (x[x.count - 1] - x[0]) * Double($0) / Double(places - 1)
    }
    guard isCovered(x) else { return nil }
    var effective = weights
    var heights: [Double] = []
    var distances: [Double] = []
    for _ in 0..<5 {
      heights = smoothed(
        grid: grid, positions: x, delays: y, weights: effective,
        width: width * (x[x.count - 1] - x[0]))
      let model = DelayModel(
        offset: 0, slope: 0,
        curve: zip(grid, heights).map { DelayModel.Knot(position: $0, delay: $1) })
      distances = x.indices.map { abs(y[$0] - model.bend(at: x[$0])) }
      let spread = 1.4826 * RobustLine.median(distances, weights) + 1e-3
      effective = weights.indices.map { place in
        let ratio = 2 * spread / max(distances[place], 1e-9)
        return weights[place] * min(1, ratio * ratio)
      }
    }
    let after = RobustLine.median(distances, weights)
    let before = RobustLine.median(y.map(abs), weights)
    let allowed = gain * before * before * (1 - freedom / count)
    guard after * after < allowed, (heights.map(abs).max() ?? 0) > least else { return nil }
    return zip(grid, heights).map { DelayModel.Knot(position: $0, delay: $1) }
  }

  private static func effectiveCount(_ weights: [Double]) -> Double {
    let sum = weights.reduce(0, +)
    return sum * sum / max(1e-300, weights.reduce(0) { $0 + $1 * $1 })
  }

  /// Whether no neighbourhood is without points.
  private static func isCovered(_ x: [Double]) -> Bool {
    let room = 1.5 * width * (x[x.count - 1] - x[0])
    return zip(x, x.dropFirst()).allSatisfy { $1 - $0 < room }
  }

  private static func smoothed(
    grid: [Double], positions: [Double], delays: [Double], weights: [Double], width: Double
  ) -> [Double] {
    grid.map { place in
      Parabola(x: positions.map { ($0 - place) / width }, y: delays, weights: weights).height
    }
  }
}

/// A parabola fitted to points around 0, those far away counting little.
struct Parabola {
  /// Its height at 0.
  let height: Double

  init(x: [Double], y: [Double], weights: [Double]) {
    var moments = [Double](repeating: 0, count: 5)
    var products = [Double](repeating: 0, count: 3)
    for place in x.indices where abs(x[place]) < 3 {
      // Close to a Gaussian, without its cost.
      let fall = 1 - x[place] * x[place] / 9
      let weight = weights[place] * fall * fall * fall * fall + 1e-12
      var power = weight
      for order in 0..<5 {
        moments[order] += power
        if order < 3 { products[order] += power * y[place] }
        power *= x[place]
      }
    }
    height = Self.solved(moments, products)[0]
  }

  /// Solves the three normal equations, a little stiffened.
  private static func solved(_ moments: [Double], _ products: [Double]) -> [Double] {
    let stiff = 1e-9 * moments[0] + 1e-300
    var rows = [
      [moments[0] + stiff, moments[1], moments[2], products[0]],
      [moments[1], moments[2] + stiff, moments[3], products[1]],
      [moments[2], moments[3], moments[4] + stiff, products[2]],
    ]
    for pivot in 0..<3 {
      for row in 0..<3 where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot..<4 { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    return (0..<3).map { rows[$0][3] / rows[$0][$0] }
  }
}
