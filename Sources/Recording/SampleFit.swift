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

  private(set) var slope: Double
  /// Nanoseconds at frame 0.
  private(set) var level: Double
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

  /// Into so many parts a window is divided, and which of each part are the lowest: one of so many.
  private static let parts = 4
  private static let lowest = 10
  /// From so many points on.
  private static let fewest = 12
  /// How often the lowest are found anew, by a better line each time.
  private static let rounds = 3

  /// The lowest of a part is one of so many, of `count` points in all.
  static func share(of count: Int) -> Int { max(1, min(lowest, count / parts)) }

  /// The line through the lowest of `points`, a tenth of each part of the window, so that its ends
  /// have as much say as its middle. Lateness has a sharp lower end and a wide upper one: the lowest
  /// lie closer together than all do.
  ///
  /// What is open of it is what was open before: the lowest are picked, so how near they lie to one
  /// another says little.
  func drawn(to points: [Point], prior: Prior, noise: Double) -> SampleFit {
    guard points.count >= Self.fewest else { return self }
    var drawn = self
    for _ in 0..<Self.rounds {
      let fit = SampleFit(drawn.lowest(of: points), prior: prior, noise: noise)
      drawn.slope = fit.slope
      drawn.level = fit.level
    }
    return drawn
  }

  private func lowest(of points: [Point]) -> [Point] {
    (0..<Self.parts).flatMap { part in
      let range = points.count * part / Self.parts..<points.count * (part + 1) / Self.parts
      return points[range].sorted { above($0) < above($1) }.prefix(
        max(1, range.count / Self.lowest))
    }
  }

  private func above(_ point: Point) -> Double { point.nanoseconds - level - slope * point.frames }
}
