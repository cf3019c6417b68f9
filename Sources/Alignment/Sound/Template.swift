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
    let power = (0..<WindowPair.bins).map { cross.power(of: 0, at: $0) }
    let crossPower = Self.smoothed(power, over: smoothing)
    let onePower = Self.smoothed(powers.one, over: smoothing)
    let otherPower = Self.smoothed(powers.other, over: smoothing)
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
    magnitudes = Self.smoothed(power.map { $0.squareRoot() }, over: smoothing)
    for bin in magnitudes.indices { magnitudes[bin] *= share }
    self.used = used
  }

  /// The mean over a few bins around each.
  private static func smoothed(_ values: [Float], over width: Int) -> [Float] {
    var sums = [0.0]
    sums.reserveCapacity(values.count + 1)
    for value in values { sums.append(sums[sums.count - 1] + Double(value)) }
    return values.indices.map { place in
      let low = max(0, place - width / 2)
      let high = min(values.count, place + width / 2)
      return Float((sums[high] - sums[low]) / Double(width))
    }
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
