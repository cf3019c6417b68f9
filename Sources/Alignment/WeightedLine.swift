/// A straight line through weighted points, not led astray by a few wild ones.
///
/// Iteratively reweighted least squares with Huber's weights (P. J. Huber, "Robust estimation of
/// a location parameter", 1964), begun at the median of slopes (Theil and Sen).
struct WeightedLine {
  /// The line's height at x = 0.
  let intercept: Double
  let slope: Double
  /// The spread of the points around the line: 1.4826 times the median distance.
  let scale: Double

  /// Where Huber's weight begins to fall, in units of the scale.
  static let knee = 1.345
  static let rounds = 30
  /// The most points from which the first slope is taken.
  static let starters = 60

  /// Fits a line to points at `x`, at least two of which differ.
  ///
  /// - Parameters:
  ///   - weights: how much each point counts, above 0.
  ///   - floor: the least spread to reckon with, in units of `y`.
  init(x: [Double], y: [Double], weights: [Double], floor: Double) {
    precondition(x.count == y.count && x.count == weights.count && x.count >= 2)
    var line = Self.start(x: x, y: y)
    var scale = floor
    for _ in 0..<Self.rounds {
      let distances = x.indices.map { abs(y[$0] - line.intercept - line.slope * x[$0]) }
      scale = max(floor, 1.4826 * Self.median(distances))
      let effective = x.indices.map { weights[$0] * min(1, Self.knee * scale / distances[$0]) }
      let next = Self.leastSquares(x: x, y: y, weights: effective) ?? line
      let isSettled = next == line
      line = next
      if isSettled { break }
    }
    (intercept, slope) = line
    self.scale = scale
  }

  private static func start(x: [Double], y: [Double]) -> (intercept: Double, slope: Double) {
    let stride = max(1, (x.count + starters - 1) / starters)
    let chosen = Swift.stride(from: 0, to: x.count, by: stride) + [x.count - 1]
    var slopes: [Double] = []
    for (place, one) in chosen.enumerated() {
      for other in chosen[(place + 1)...] where x[other] != x[one] {
        slopes.append((y[other] - y[one]) / (x[other] - x[one]))
      }
    }
    let slope = slopes.isEmpty ? 0 : median(slopes)
    return (median(x.indices.map { y[$0] - slope * x[$0] }), slope)
  }

  private static func leastSquares(
    x: [Double], y: [Double], weights: [Double]
  ) -> (intercept: Double, slope: Double)? {
    let total = weights.reduce(0, +)
    let meanX = x.indices.reduce(0) { $0 + weights[$1] * x[$1] } / total
    let meanY = x.indices.reduce(0) { $0 + weights[$1] * y[$1] } / total
    var (square, product) = (0.0, 0.0)
    for place in x.indices {
      square += weights[place] * (x[place] - meanX) * (x[place] - meanX)
      product += weights[place] * (x[place] - meanX) * (y[place] - meanY)
    }
    guard square > 0 else { return nil }
    let slope = product / square
    return (meanY - slope * meanX, slope)
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
