/// Compares how a room answers: two responses around their direct sound, which itself says
/// nothing.
enum RoomAnswer {
  private static let reach = 4800
  private static let direct = 24

  /// The correlation of two responses apart from the direct sound, −1 to 1. Each is taken from
  /// where its own highest point lies, near 0.
  static func likeness(_ one: Lags, _ other: Lags) -> Double {
    let first = Peak.largest(of: one, within: 48, signed: false).place
    let second = Peak.largest(of: other, within: 48, signed: false).place
    var best = -1.0
    for shift in -1...1 { best = max(best, likeness(one, first, other, second + shift)) }
    return best
  }

  private static func likeness(
    _ one: Lags, _ first: Int, _ other: Lags, _ second: Int
  ) -> Double {
    var (product, square, otherSquare) = (0.0, 0.0, 0.0)
    for lag in -reach...reach where abs(lag) > direct {
      let u = Double(one[lag + first])
      let v = Double(other[lag + second])
      product += u * v
      square += u * u
      otherSquare += v * v
    }
    return product / ((square * otherSquare).squareRoot() + 1e-30)
  }
}
