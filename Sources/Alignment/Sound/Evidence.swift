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

  /// Judges the place `place` of `groups` by all places of `decoys`, which pair windows that have
  /// nothing to do with each other.
  init(
    of groups: [CrossSpectrum], decoys: [CrossSpectrum], used: Range<Int>, near place: Int,
    plan: BatchFFT.Plan, workers: any Workers
  ) {
    let sums: [[Float]] = workers.map(2) { half in
      let transform = BatchFFT(plan)
      var sums = [Float](repeating: 0, count: WindowPair.count)
      let chosen = half == 0 ? groups : decoys
      InverseTransforms.run(chosen.indices, transform) {
        Self.whitened(chosen[$0], used: used)
      } take: { _, sequence in
        Self.add(sequence, to: &sums)
      }
      return sums
    }
    self = Self.judged(sums[0], decoys: sums[1], near: place)
  }

  private static func whitened(_ group: CrossSpectrum, used: Range<Int>) -> [SIMD2<Float>] {
    var spectrum = [SIMD2<Float>](repeating: .zero, count: WindowPair.bins)
    for bin in used {
      let value = group.cross[bin]
      spectrum[bin] = value * WindowPair.whitening(value.x * value.x + value.y * value.y)
    }
    return spectrum
  }

  private static func add(_ values: [Float], to sums: inout [Float]) {
    var size: Float = 0
    for value in values { size += abs(value) }
    let scale = Float(values.count) / (1.2533 * size + 1e-30)
    for place in values.indices {
      sums[place] += max(-ceiling, min(ceiling, values[place] * scale))
    }
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
