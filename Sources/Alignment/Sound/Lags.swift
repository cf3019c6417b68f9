internal import FFT

/// A periodic, band-limited sequence over lags, of which those behind 0 lie at its end.
struct Lags: Sendable {
  private let values: [Float]
  private let base: Int
  private let scale: Float
  /// Its period.
  let count: Int

  /// The `count` values from `base` on, times `scale`.
  init(_ values: [Float], from base: Int = 0, count: Int, scale: Float = 1) {
    precondition(base >= 0 && base + count <= values.count, "\(count) lags from \(base) on")
    self.values = values
    self.base = base
    self.count = count
    self.scale = scale
  }

  /// The value at `lag`, of less than a period to either side.
  subscript(lag: Int) -> Float {
    values[base + (lag < 0 ? lag + count : lag >= count ? lag - count : lag)] * scale
  }

  /// Adds all lags within `reach`, limited, to `sums`, in their order.
  func addDamped(within reach: Int, sign: Float, ceiling: Float, to sums: inout [Float]) {
    SampleSums.add(
      values, base + count - reach..<base + count, scale: scale * sign, ceiling: ceiling,
      limit: .damped, to: &sums, at: 0)
    SampleSums.add(
      values, base..<base + reach + 1, scale: scale * sign, ceiling: ceiling, limit: .damped,
      to: &sums, at: reach)
  }

  /// The mean square between two lags.
  func power(in range: Range<Int>) -> Float {
    var sum: Float = 0
    for lag in range { sum += self[lag] * self[lag] }
    return sum / Float(range.count)
  }
}
