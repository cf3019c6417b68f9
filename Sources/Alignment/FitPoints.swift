import Units

/// Observations as points of a plane: seconds since the first against nanoseconds that shared
/// time is ahead of the nominal rate.
struct FitPoints {
  /// Seconds at the nominal rate since the first observation's frame.
  let seconds: [Double]
  /// Nanoseconds of shared time beyond that.
  let excess: [Double]
  /// What each observation leaves open, in nanoseconds.
  let bounds: [Double]

  init(_ observations: [TimingObservation], nominalNanoseconds: Double) {
    let first = observations[0]
    let nominal = observations.map { Double($0.frame - first.frame) * nominalNanoseconds }
    seconds = nominal.map { $0 * 1e-9 }
    excess = observations.indices.map { place in
      Double(observations[place].shared.nanoseconds - first.shared.nanoseconds) - nominal[place]
    }
    bounds = observations.map { Double(max(0, $0.jitterBoundNanoseconds)) }
  }

  /// An observation counts by the square of what its bound allows.
  private func weights(floor: Double) -> [Double] {
    bounds.map { 1 / ($0 * $0 + floor * floor) }
  }

  /// The robust line: its height at the first frame in nanoseconds, and its slope as a fraction.
  func line(floor: Double) -> (height: Double, slope: Double) {
    // Weights near 1, so that a squared nanosecond is no tiny number.
    let raw = weights(floor: floor)
    let most = raw.max() ?? 1
    let line = WeightedLine(
      x: seconds, y: excess, weights: raw.map { $0 / most }, floor: floor)
    return (line.intercept, line.slope * 1e-9)
  }

  /// The line of a known slope through the points' weighted middle.
  func level(slope: Double) -> (height: Double, slope: Double) {
    let weights = weights(floor: 1)
    let heights = seconds.indices.map { excess[$0] - slope * 1e9 * seconds[$0] }
    let sum = heights.indices.reduce(0) { $0 + weights[$1] * heights[$1] }
    return (sum / weights.reduce(0, +), slope)
  }

  /// How the points lie around a line: root mean square and worst distance, and how far the
  /// truth may lie from it.
  ///
  /// - Parameter bends: what a curve adds to the line at each point, in nanoseconds.
  func judged(by line: (height: Double, slope: Double), less bends: [Double]) -> (
    root: Double, worst: Double, bound: Double, sigma: Double
  ) {
    let distances = seconds.indices.map { place in
      excess[place] - line.height - line.slope * 1e9 * seconds[place] - bends[place]
    }
    let square = distances.reduce(0) { $0 + $1 * $1 } / Double(distances.count)
    let worst = distances.reduce(0) { max($0, abs($1)) }
    let bound = reach(of: distances) ?? (worst + (bounds.max() ?? 0))
    return (square.squareRoot(), worst, bound, Self.sigma(of: distances))
  }

  /// The standard deviation of a line's height at its ends, where it lies `distances` from evenly
  /// spaced points: twice that at its middle. Neighbours that err alike count for less.
  private static func sigma(of distances: [Double]) -> Double {
    let count = Double(distances.count)
    let square = distances.reduce(0) { $0 + $1 * $1 }
    guard count > 2, square > 0 else { return 0 }
    let product = zip(distances, distances.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    let alike = max(0, min(0.98, product / square))
    let independent = max(1, count * (1 - alike) / (1 + alike))
    return 2 * (square / count / independent).squareRoot()
  }

  /// What bends upon a line, by frame, in nanoseconds.
  func curve(
    about line: (height: Double, slope: Double), first: Int64, nominalNanoseconds: Double
  ) -> DelayModel {
    let positions = seconds.map { Double(first) + $0 * 1e9 / nominalNanoseconds }
    let delays = seconds.indices.map { place in
      (excess[place] - line.height - line.slope * 1e9 * seconds[place]) / nominalNanoseconds
    }
    let raw = weights(floor: 100)
    let most = raw.max() ?? 1
    let knots = SmoothCurve.fit(
      positions: positions, delays: delays, weights: raw.map { max(0.3, $0 / most) })
    let bent = (knots ?? []).map {
      DelayModel.Knot(position: $0.position, delay: $0.delay * nominalNanoseconds)
    }
    return DelayModel(offset: 0, slope: 0, curve: bent)
  }

  private func reach(of distances: [Double]) -> Double? {
    let middle = ((seconds.last ?? 0) + (seconds.first ?? 0)) / 2
    let half = ((seconds.last ?? 0) - (seconds.first ?? 0)) / 2
    guard half > 0 else { return nil }
    return AdmittedLines(
      x: seconds.map { ($0 - middle) / half }, distances: distances, bounds: bounds
    ).reach()
  }
}
