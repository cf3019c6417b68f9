/// Sine and cosine of angles in turns, to the last bits of a `Double`.
///
/// The floor of pure logic has no C library below it; and truth that is computed by code of its
/// own proves more than truth that leans on what the product leans on.
enum Turn {
  /// The sine of `turns` full circles.
  static func sine(_ turns: Double) -> Double {
    let part = turns - turns.rounded()
    let quarter = (part * 4).rounded()
    let angle = (part - quarter / 4) * 2 * Double.pi
    switch quarter {
    case 0: return sineNearZero(angle)
    case 1: return cosineNearZero(angle)
    case -1: return -cosineNearZero(angle)
    default: return -sineNearZero(angle)
    }
  }

  /// The cosine of `turns` full circles.
  static func cosine(_ turns: Double) -> Double { sine(turns + 0.25) }

  /// Taylor's series up to the 17th power: exact to 5e-17 within an eighth of a turn.
  private static func sineNearZero(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 1.0
    for step in stride(from: 16.0, to: 0, by: -2) { sum = 1 - sum * square / (step * (step + 1)) }
    return sum * angle
  }

  private static func cosineNearZero(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 1.0
    for step in stride(from: 18.0, to: 0, by: -2) { sum = 1 - sum * square / (step * (step - 1)) }
    return sum
  }
}
