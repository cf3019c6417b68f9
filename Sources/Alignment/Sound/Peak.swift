internal import FFT

/// The highest point of a periodic, band-limited sequence near a place, between its samples.
enum Peak {
  /// Where the largest value, or the largest magnitude, lies within `reach` of 0, and that value.
  static func largest(
    of values: Lags, within reach: Int, signed: Bool
  ) -> (place: Int, value: Float) {
    var best = (place: 0, value: Float(-1))
    for place in -reach...reach {
      let value = values[place]
      let height = signed ? value : abs(value)
      if height > best.value { best = (place, height) }
    }
    return (best.place, values[best.place])
  }

  private static let half = 16
  private static let fine = 16

  /// A windowed sinc for each of the places that are tried: a row of 2 · `half` + 1 taps.
  private static let taps: [Double] = (-fine...fine).flatMap { step in
    (-half...half).map { tap in
      let x = Double(step) / Double(fine) - Double(tap)
      let window = Elementary.cos(.pi * x / Double(2 * (half + 1)))
      let sinc = abs(x) < 1e-9 ? 1 : Elementary.sin(.pi * x) / (.pi * x)
      return sinc * window * window
    }
  }

  /// The true place of the maximum near `place`: sixteen times finer by a windowed sinc, then a
  /// parabola.
  static func refined(_ values: Lags, near place: Int, sign: Float) -> Double {
    let near = (-half...half).map { Double(values[place + $0] * sign) }
    let heights = (0...2 * fine).map { step in
      let row = step * near.count
      return near.indices.reduce(0.0) { $0 + near[$1] * taps[row + $1] }
    }
    let top = heights.indices.max { heights[$0] < heights[$1] } ?? fine
    let rough = Double(place) + Double(top - fine) / Double(fine)
    guard top > 0, top < heights.count - 1 else { return rough }
    let bend = heights[top - 1] - 2 * heights[top] + heights[top + 1]
    guard bend != 0 else { return rough }
    return rough + 0.5 * (heights[top - 1] - heights[top + 1]) / bend / Double(fine)
  }
}
