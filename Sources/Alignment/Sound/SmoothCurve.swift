/// A smooth course through scattered points: at each place a parabola fitted to what lies around.
enum SmoothCurve {
  private static let places = 121
  /// The neighbourhood's width, in parts of the whole: the narrowest that bends as crystals do.
  private static let widths = [0.06, 0.12, 0.24]

  /// How much less than the line's a curve's spread must be, as variances, its freedom allowed
  /// for.
  private static let gain = 0.5
  /// Fewer points do not tell a curve from chance.
  private static let fewest = 28.0
  /// Points that a curve of width 1 uses up.
  private static let freedom = 0.84
  /// Below this, in samples, a curve is not told from a line.
  private static let least = 0.1
  /// No crystal's rate changes faster: a tenth of a ppm in a second of 48 kHz, several times what
  /// warming up does. Tones that come and go do pretend it.
  static let sharpestByEar = 2e-12

  /// The curve through `delays`, or nothing where a line through zero serves as well.
  ///
  /// - Parameter sharpest: how fast its slope may change, in samples a sample squared; clocks that
  ///   were read are believed whatever they do.
  static func fit(
    positions: [Double], delays: [Double], weights: [Double], sharpest: Double = .infinity
  ) -> [DelayModel.Knot]? {
    let known = positions.indices.filter { weights[$0] > 1e-3 }
    guard let first = known.first, let last = known.last, positions[last] > positions[first] else {
      return nil
    }
    let x = known.map { positions[$0] }
    let y = known.map { delays[$0] }
    let weights = known.map { weights[$0] }
    let count = effectiveCount(weights)
    guard count > fewest else { return nil }
    for width in widths {
      let used = freedom / width
      guard count > 2 * used, isCovered(x, width: width) else { continue }
      let found = curve(x: x, y: y, weights: weights, width: width)
      guard bend(of: found.heights, span: x[x.count - 1] - x[0], width: width) < sharpest else {
        continue
      }
      let after = found.distance
      let before = RobustLine.median(y.map(abs), weights)
      let allowed = gain * before * before * (1 - used / count)
      guard after * after < allowed, (found.heights.map(abs).max() ?? 0) > least else { continue }
      return zip(grid(x), found.heights).map { DelayModel.Knot(position: $0, delay: $1) }
    }
    return nil
  }

  private static func grid(_ x: [Double]) -> [Double] {
    (0..<places).map { x[0] + (x[x.count - 1] - x[0]) * Double($0) / Double(places - 1) }
  }

  /// The heights on the grid, and the points' median distance from them.
  private static func curve(
    x: [Double], y: [Double], weights: [Double], width: Double
  ) -> (heights: [Double], distance: Double) {
    let grid = grid(x)
    var effective = weights
    var heights: [Double] = []
    var distances: [Double] = []
    for _ in 0..<5 {
      heights = smoothed(
        grid: grid, points: Thinned(x: x, y: y, weights: effective),
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
    return (heights, RobustLine.median(distances, weights))
  }

  /// The largest change of the slope, over half a neighbourhood.
  private static func bend(of heights: [Double], span: Double, width: Double) -> Double {
    let reach = max(1, Int(width / 2 * Double(places - 1)))
    let step = span * Double(reach) / Double(places - 1)
    return (reach..<places - reach).reduce(0) { most, place in
      let second = heights[place + reach] - 2 * heights[place] + heights[place - reach]
      return max(most, abs(second) / (step * step))
    }
  }

  private static func effectiveCount(_ weights: [Double]) -> Double {
    let sum = weights.reduce(0, +)
    return sum * sum / max(1e-300, weights.reduce(0) { $0 + $1 * $1 })
  }

  /// Whether no neighbourhood is without points.
  private static func isCovered(_ x: [Double], width: Double) -> Bool {
    let room = 1.5 * width * (x[x.count - 1] - x[0])
    return zip(x, x.dropFirst()).allSatisfy { $1 - $0 < room }
  }

  private static func smoothed(grid: [Double], points: Thinned, width: Double) -> [Double] {
    grid.map { place in
      Parabola(x: points.x.map { ($0 - place) / width }, y: points.y, weights: points.weights)
        .height
    }
  }
}

/// Points in order, of many each few together: a curve does not bend within them.
private struct Thinned {
  private(set) var x: [Double] = []
  private(set) var y: [Double] = []
  private(set) var weights: [Double] = []

  private static let most = 1500

  init(x: [Double], y: [Double], weights: [Double]) {
    let size = max(1, x.count / Self.most)
    guard size > 1 else {
      (self.x, self.y, self.weights) = (x, y, weights)
      return
    }
    for first in stride(from: 0, to: x.count, by: size) {
      let part = first..<min(x.count, first + size)
      let weight = part.reduce(0) { $0 + weights[$1] }
      guard weight > 0 else { continue }
      self.x.append(part.reduce(0) { $0 + weights[$1] * x[$1] } / weight)
      self.y.append(part.reduce(0) { $0 + weights[$1] * y[$1] } / weight)
      self.weights.append(weight)
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
