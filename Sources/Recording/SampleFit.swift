/// Least squares through the earliest observations, drawn to the rate that was known before
/// as far as that is better than what little there is to see.
struct SampleFit: Sendable {
  struct Point {
    let frames: Double
    let nanoseconds: Double
  }

  /// What is known of the rate before anything is seen.
  struct Prior {
    let nanosecondsPerFrame: Double
    /// One deviation of it.
    let deviation: Double

    /// A crystal that is as good as they usually are: 100 ppm against the host's clock.
    init(nominal: Double) {
      nanosecondsPerFrame = nominal
      deviation = nominal * 100e-6
    }

    /// A crystal that was measured before; it wanders by some parts in a million at most.
    init(measured: Double, bound: Double) {
      nanosecondsPerFrame = measured
      deviation = max(measured * 1e-6, bound / 3)
    }
  }

  let slope: Double
  /// Nanoseconds at frame 0.
  let level: Double
  /// The points' mean frame.
  let middle: Double
  let residualDeviation: Double
  let slopeDeviation: Double

  init(_ points: [Point], prior: Prior, noise: Double) {
    let expected = prior.nanosecondsPerFrame
    let count = Double(points.count)
    let middle = points.map(\.frames).reduce(0, +) / count
    let mean = points.map(\.nanoseconds).reduce(0, +) / count
    let weight = noise / prior.deviation
    var xx = weight * weight
    var xy = 0.0
    for point in points {
      let along = point.frames - middle
      xx += along * along
      xy += along * (point.nanoseconds - mean - expected * along)
    }
    let slope = expected + xy / xx
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
