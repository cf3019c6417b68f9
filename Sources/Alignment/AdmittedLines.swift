/// All straight lines that pass every point within that point's bound.
///
/// How far they reach from zero at the two ends is how far the truth, if it is straight and the
/// bounds hold, can lie from a line that was fitted to the points.
struct AdmittedLines {
  private let x: [Double]
  private let lower: [Double]
  private let upper: [Double]

  /// Takes points at `x`, from -1 to 1, that lie `distances` from the fitted line.
  init(x: [Double], distances: [Double], bounds: [Double]) {
    self.x = x
    lower = x.indices.map { distances[$0] - bounds[$0] }
    upper = x.indices.map { distances[$0] + bounds[$0] }
  }

  /// The largest distance from zero of any admitted line at -1 and 1, or nothing where no line
  /// passes all points within their bounds.
  func reach() -> Double? {
    let limit = 2 * (zip(lower, upper).map { max(abs($0), abs($1)) }.max() ?? 0) + 1
    let best = Self.argmax(from: -limit, to: limit) { ceiling($0) - floor($0) }
    guard ceiling(best) >= floor(best) else { return nil }
    let least = edge(inside: best, outside: -limit)
    let most = edge(inside: best, outside: limit)
    var reach = 0.0
    for end in [-1.0, 1.0] {
      let high = Self.argmax(from: least, to: most) { ceiling($0) + $0 * end }
      let low = Self.argmax(from: least, to: most) { -(floor($0) + $0 * end) }
      reach = max(reach, abs(ceiling(high) + high * end), abs(floor(low) + low * end))
    }
    return reach
  }

  /// The highest line of slope `slope` under all upper ends, by its height at 0. Concave.
  private func ceiling(_ slope: Double) -> Double {
    x.indices.reduce(.infinity) { min($0, upper[$1] - slope * x[$1]) }
  }

  /// The lowest line of slope `slope` over all lower ends, by its height at 0. Convex.
  private func floor(_ slope: Double) -> Double {
    x.indices.reduce(-.infinity) { max($0, lower[$1] - slope * x[$1]) }
  }

  /// The last admitted slope on the way from `inside` to `outside`.
  private func edge(inside: Double, outside: Double) -> Double {
    var (inside, outside) = (inside, outside)
    for _ in 0..<60 {
      let middle = (inside + outside) / 2
      if ceiling(middle) >= floor(middle) { inside = middle } else { outside = middle }
    }
    return inside
  }

  /// Where the concave function `height` is highest, by golden section.
  private static func argmax(
    from low: Double, to high: Double, _ height: (Double) -> Double
  ) -> Double {
    let golden = 0.618_033_988_749_895
    var (low, high) = (low, high)
    for _ in 0..<80 {
      let one = high - golden * (high - low)
      let other = low + golden * (high - low)
      if height(one) < height(other) { low = one } else { high = other }
    }
    return (low + high) / 2
  }
}
