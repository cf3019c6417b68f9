/// Least squares through the earliest observations, drawn to the nominal rate as far as a
/// crystal's usual excess is known better than what little there is to see.
struct SampleFit: Sendable {
  struct Point {
    let frames: Double
    let nanoseconds: Double
  }

  /// What a crystal against a host's clock is likely within, one deviation.
  static let likelyExcess = 100e-6

  let slope: Double
  /// Nanoseconds at frame 0.
  let level: Double
  /// The points' mean frame.
  let middle: Double
  let residualDeviation: Double
  let slopeDeviation: Double

  init(_ points: [Point], nominal: Double, noise: Double) {
    let count = Double(points.count)
    let middle = points.map(\.frames).reduce(0, +) / count
    let mean = points.map(\.nanoseconds).reduce(0, +) / count
    let prior = noise / (Self.likelyExcess * nominal) * noise / (Self.likelyExcess * nominal)
    var xx = prior
    var xy = 0.0
    for point in points {
      let along = point.frames - middle
      xx += along * along
      xy += along * (point.nanoseconds - mean - nominal * along)
    }
    let slope = nominal + xy / xx
    let level = mean - slope * middle
    let squares = points.map { point in
      let residual = point.nanoseconds - level - slope * point.frames
      return residual * residual
    }
    self.slope = slope
    self.level = level
    self.middle = middle
    residualDeviation = (squares.reduce(0, +) / count).squareRoot()
    slopeDeviation = max(noise, residualDeviation) / xx.squareRoot()
  }
}
