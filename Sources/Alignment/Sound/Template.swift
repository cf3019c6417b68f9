internal import FFT

/// What the groups of windows have in common.
struct Template: Sendable {
  private let sum: [SIMD2<Float>]
  /// The coherence of each bin, 0 to 1.
  private let coherences: [Float]
  /// The sum's smoothed magnitude for a group.
  private let magnitudes: [Float]
  private let used: Range<Int>
  let coherence: Double

  init(_ groups: [CrossSpectrum], used: Range<Int>, smoothing: Int) {
    var sum = [SIMD2<Float>](repeating: .zero, count: WindowPair.bins)
    var one = [Float](repeating: 0, count: WindowPair.bins)
    var other = one
    var (weight, squares) = (0.0, 0.0)
    for group in groups {
      for bin in used {
        sum[bin] += group.cross[bin]
        one[bin] += group.one[bin]
        other[bin] += group.other[bin]
      }
      weight += group.weight
      squares += group.weightSquares
    }
    let bias = Float(min(0.5, squares / max(weight * weight, 1e-300)))
    let size = sum.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
    let crossPower = Self.smoothed(size.map { $0 * $0 }, over: smoothing)
    let onePower = Self.smoothed(one, over: smoothing)
    let otherPower = Self.smoothed(other, over: smoothing)
    var coherences = [Float](repeating: 1e-6, count: WindowPair.bins)
    var total = 0.0
    for bin in used {
      let ratio = crossPower[bin] / (onePower[bin] * otherPower[bin] + 1e-30) - bias
      coherences[bin] = max(1e-6, min(0.98, ratio))
      total += Double(coherences[bin])
    }
    coherence = total / Double(max(1, used.count))
    magnitudes = Self.smoothed(size, over: smoothing).map { $0 / Float(max(1, groups.count)) }
    self.coherences = coherences
    self.sum = sum
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
  func response() -> [Float] {
    var spectrum = [SIMD2<Float>](repeating: .zero, count: WindowPair.bins)
    for bin in used {
      let value = sum[bin]
      let size = (value.x * value.x + value.y * value.y).squareRoot() + 1e-20
      spectrum[bin] = value * (coherences[bin] / (coherences[bin] + 0.03) / size)
    }
    return RealFFT(count: WindowPair.count).sequence(of: spectrum)
  }

  /// The spectrum of how likely each delay of `group` is, against the sum of all other groups.
  func matched(_ group: CrossSpectrum) -> [SIMD2<Float>] {
    var spectrum = [SIMD2<Float>](repeating: .zero, count: WindowPair.bins)
    for bin in used {
      let own = group.cross[bin]
      let rest = sum[bin] - own
      let size = (rest.x * rest.x + rest.y * rest.y).squareRoot() + 1e-20
      let ownSize = (own.x * own.x + own.y * own.y).squareRoot()
      let likely = coherences[bin] / (1 - coherences[bin])
      let weight = likely / ((ownSize * magnitudes[bin] + 1e-30).squareRoot() * size)
      spectrum[bin] = SIMD2(
        (own.x * rest.x + own.y * rest.y) * weight, (own.y * rest.x - own.x * rest.y) * weight)
    }
    return spectrum
  }
}
