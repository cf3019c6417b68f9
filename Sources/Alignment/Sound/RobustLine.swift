/// A line through points of which some are wild, begun near the truth.
struct RobustLine {
  var offset: Double
  var slope: Double
  /// The spread of the points around it.
  var spread: Double
  /// Standard deviations: of the height at the points' middle, and of the slope.
  var heightSigma = 0.0
  var slopeSigma = 0.0
  /// The points' weighted middle.
  var middle = 0.0

  /// Huber's weights, and none for what lies beyond six spreads.
  init(
    x: [Double], y: [Double], weights: [Double], offset: Double, slope: Double, least: Double
  ) {
    self.offset = offset
    self.slope = slope
    spread = least
    for _ in 0..<15 {
      let distances = x.indices.map { y[$0] - self.offset - self.slope * x[$0] }
      spread = max(least, 1.4826 * Self.median(distances.map(abs), weights))
      let effective = x.indices.map { place in
        let size = abs(distances[place])
        return size > 6 * spread ? 0 : weights[place] * min(1, 1.5 * spread / max(size, 1e-12))
      }
      guard effective.count(where: { $0 > 0 }) >= 3, solve(x, y, effective) else { break }
    }
  }

  private mutating func solve(_ x: [Double], _ y: [Double], _ weights: [Double]) -> Bool {
    let total = weights.reduce(0, +)
    guard total > 0 else { return false }
    let meanX = x.indices.reduce(0) { $0 + weights[$1] * x[$1] } / total
    let meanY = x.indices.reduce(0) { $0 + weights[$1] * y[$1] } / total
    var (square, product, weightSquare) = (0.0, 0.0, 0.0)
    for place in x.indices {
      square += weights[place] * (x[place] - meanX) * (x[place] - meanX)
      product += weights[place] * (x[place] - meanX) * (y[place] - meanY)
      weightSquare += weights[place] * weights[place]
    }
    guard square > 0 else { return false }
    slope = product / square
    offset = meanY - slope * meanX
    middle = meanX
    let count = total * total / weightSquare
    heightSigma = spread / count.squareRoot()
    slopeSigma = spread / (square / total * count).squareRoot()
    return true
  }

  /// The median of `values`, each counting by its weight.
  static func median(_ values: [Double], _ weights: [Double]) -> Double {
    let order = values.indices.sorted { values[$0] < values[$1] }
    let half = weights.reduce(0, +) / 2
    var sum = 0.0
    for place in order {
      sum += weights[place]
      if sum >= half { return values[place] }
    }
    return values.max() ?? 0
  }
}
