internal import FFT

/// The highest point of a periodic, band-limited sequence near a place, between its samples.
enum Peak {
  /// Where the largest value, or the largest magnitude, lies within `reach` of 0, and that value.
  static func largest(
    of values: [Float], within reach: Int, signed: Bool
  ) -> (place: Int, value: Float) {
    var best = (place: 0, value: Float(-1))
    for place in -reach...reach {
      let value = values[place < 0 ? place + values.count : place]
      let height = signed ? value : abs(value)
      if height > best.value { best = (place, height) }
    }
    return (best.place, values[best.place < 0 ? best.place + values.count : best.place])
  }

  private static let half = 16
  private static let fine = 16

  /// The true place of the maximum near `place`: sixteen times finer by a windowed sinc, then a
  /// parabola.
  static func refined(_ values: [Float], near place: Int, sign: Float) -> Double {
    let steps = (-fine...fine).map { value(values, at: Double($0) / Double(fine), from: place) }
    let heights = steps.map { $0 * Double(sign) }
    let top = heights.indices.max { heights[$0] < heights[$1] } ?? fine
    let rough = Double(place) + Double(top - fine) / Double(fine)
    guard top > 0, top < heights.count - 1 else { return rough }
    let bend = heights[top - 1] - 2 * heights[top] + heights[top + 1]
    guard bend != 0 else { return rough }
    return rough + 0.5 * (heights[top - 1] - heights[top + 1]) / bend / Double(fine)
  }

  private static func value(_ values: [Float], at offset: Double, from place: Int) -> Double {
    var sum = 0.0
    for tap in -half...half {
      let x = offset - Double(tap)
      let window = Elementary.cos(.pi * x / Double(2 * (half + 1)))
      let sinc = abs(x) < 1e-9 ? 1 : Elementary.sin(.pi * x) / (.pi * x)
      var index = (place + tap) % values.count
      if index < 0 { index += values.count }
      sum += Double(values[index]) * sinc * window * window
    }
    return sum
  }
}
