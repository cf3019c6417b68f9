internal import FFT

/// What the groups of windows have in common.
struct Template: Sendable {
  private var sum: CrossSum
  /// How much is likely to be of both sounds, over how much is not, bin by bin.
  private var likely: [Float]
  /// The sum's smoothed magnitude for a group.
  private var magnitudes: [Float]
  private let used: Range<Int>
  /// How alike the sounds are over all bins, 0 to 1.
  private(set) var coherence: Double

  init(
    _ groups: [CrossSpectrum], powers: CrossSum.Powers, used: Range<Int>, smoothing: Int
  ) {
    sum = CrossSum(bins: WindowPair.bins)
    var (weight, squares) = (0.0, 0.0)
    for group in groups {
      sum.add(group.sum)
      weight += group.weight
      squares += group.weightSquares
    }
    let bias = Float(min(0.5, squares / max(weight * weight, 1e-300)))
    let cross = sum.cross
    let power = cross.powers(of: 0)
    let crossPower = SampleSums.smoothed(power, over: smoothing)
    let onePower = SampleSums.smoothed(powers.one, over: smoothing)
    let otherPower = SampleSums.smoothed(powers.other, over: smoothing)
    likely = [Float](repeating: 1e-6, count: WindowPair.bins)
    coherence = 0
    for bin in used {
      let ratio = crossPower[bin] / (onePower[bin] * otherPower[bin] + 1e-30) - bias
      let coherence = max(1e-6, min(0.98, ratio))
      likely[bin] = coherence / (1 - coherence)
      self.coherence += Double(coherence)
    }
    coherence /= Double(max(1, used.count))
    let share = 1 / Float(max(1, groups.count))
    magnitudes = SampleSums.smoothed(power.map { $0.squareRoot() }, over: smoothing)
    for bin in magnitudes.indices { magnitudes[bin] *= share }
    self.used = used
  }

  /// The response from the one to the other, whitened where they are coherent and silent where
  /// they are not.
  func response(by transform: borrowing BatchFFT) -> Lags {
    var spectra = Spectra(count: BatchFFT.lanes, bins: WindowPair.bins)
    spectra.set(0, to: sum.cross, 0, in: used) { bin in
      let coherence = likely[bin] / (1 + likely[bin])
      return coherence / (coherence + 0.03)
        / (sum.cross.power(of: 0, at: bin).squareRoot() + 1e-20)
    }
    var values = [Float](repeating: 0, count: BatchFFT.lanes * WindowPair.count)
    transform.invert(spectra, into: &values)
    return Lags(Array(values[..<WindowPair.count]), count: WindowPair.count)
  }

  /// Number `number` of `spectra` becomes how likely each delay of `group` is, against the sum of
  /// all other groups.
  func match(_ group: CrossSpectrum, into spectra: inout Spectra, _ number: Int) {
    spectra.setMatched(
      number, own: group.sum.cross, sum: sum.cross, likely: likely, magnitudes: magnitudes,
      in: used)
  }
}
