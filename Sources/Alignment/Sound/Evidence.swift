internal import FFT

/// How far the place that was found stands out among decoys: places at which the two sounds
/// cannot have anything in common but chance.
public struct Evidence: Hashable, Sendable {
  /// The place's height above the decoys' mean, in their standard deviations.
  public let sigmas: Double
  /// The highest decoy, in the same unit.
  public let highestDecoy: Double
  /// How many decoys there were.
  public let decoys: Int
  /// How likely chance alone reaches this anywhere that was searched.
  public let chance: Double

  /// Places and rates that the search tried, in powers of ten at most: what the highest of so
  /// many by chance alone reaches is allowed for.
  private static let trials = 1e9
  /// What one group counts with at most, in spreads.
  private static let ceiling: Float = 8
  private static let near = 8

  init(sigmas: Double, highestDecoy: Double, decoys: Int) {
    self.sigmas = sigmas
    self.highestDecoy = highestDecoy
    self.decoys = decoys
    let tail = 0.5 * Elementary.erfc(max(0, sigmas) / 2.0.squareRoot())
    chance = min(1, Self.trials * tail)
  }

  /// Judges the place `place` of `groups` by all places of `decoys`, their sums over the delays.
  init(
    of groups: [CrossSpectrum], decoys: [Float], used: Range<Int>, near place: Int,
    plan: BatchFFT.Plan, workers: any Workers
  ) {
    let pieces = 2
    let parts: [[Float]] = workers.map(pieces) { piece in
      var sums = [Float](repeating: 0, count: WindowPair.count)
      let chosen = groups.count * piece / pieces..<groups.count * (piece + 1) / pieces
      InverseTransforms.run(chosen, BatchFFT(plan)) { number, spectra, lane in
        spectra.setWhitened(lane, to: groups[number].sum.cross, 0, in: used)
      } take: { _, values, lane in
        Self.add(values, lane: lane, to: &sums)
      }
      return sums
    }
    var sums = parts[0]
    SampleSums.add(parts[1], to: &sums)
    self = Self.judged(sums, decoys: decoys, near: place)
  }

  /// Adds a lane of sequences, in units of its spread, each place of which counts so much at most.
  static func add(_ values: [Float], lane: Int, to sums: inout [Float]) {
    let range = lane * WindowPair.count..<(lane + 1) * WindowPair.count
    let scale = Float(range.count) / (1.2533 * SampleSums.size(of: values, in: range) + 1e-30)
    SampleSums.add(
      values, range, scale: scale, ceiling: ceiling, limit: .clipped, to: &sums, at: 0)
  }

  private static func judged(_ sums: [Float], decoys: [Float], near place: Int) -> Evidence {
    let mean = decoys.reduce(0.0) { $0 + Double($1) } / Double(decoys.count)
    let square = decoys.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let spread = (square / Double(decoys.count)).squareRoot() + 1e-12
    var height = 0.0
    for lag in place - near...place + near {
      let value = sums[(lag % sums.count + sums.count) % sums.count]
      height = max(height, abs(Double(value) - mean))
    }
    let highest = decoys.reduce(0.0) { max($0, abs(Double($1) - mean)) }
    return Evidence(
      sigmas: height / spread, highestDecoy: highest / spread, decoys: decoys.count)
  }
}
