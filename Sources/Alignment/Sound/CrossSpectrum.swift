internal import FFT

/// Cross spectra of windows that were turned by the model's delay and added up, so that what
/// both sounds share adds in phase over many windows and what they do not share does not.
struct CrossSpectrum: Sendable {
  private(set) var sum = CrossSum(bins: WindowPair.bins)
  /// The windows' weights, summed, squared and summed, and their positions' weighted sum.
  private(set) var weight = 0.0
  private(set) var weightSquares = 0.0
  private var moment = 0.0

  /// The windows' weighted middle.
  var position: Double { moment / max(weight, 1e-300) }

  /// Adds pair number `pair` of `spectra`, whose delay is `turn` samples beyond what its windows
  /// were cut with, and its powers to `powers`.
  mutating func add(
    _ spectra: Spectra, pair: Int, turn: Double, weight: Double, position: Double,
    used: Range<Int>, powers: inout CrossSum.Powers
  ) {
    let (one, other) = (2 * pair, 2 * pair + 1)
    let power = spectra.power(of: one, in: used) * spectra.power(of: other, in: used)
    sum.add(
      spectra, one, other,
      scale: Float(weight) * Float(used.count) / (power.squareRoot() + 1e-20), turn: turn,
      samples: WindowPair.count, in: used, powers: &powers)
    self.weight += weight
    weightSquares += weight * weight
    moment += weight * position
  }

  /// Turns what was added up by `turn` samples more.
  mutating func turn(by turn: Double, used: Range<Int>) {
    sum.turn(by: turn, samples: WindowPair.count, in: used)
  }
}
