/// 1 / n for the odd n from 23 down to 1: what the terms of the logarithm's series are divided by.
private let logarithmFactors = stride(from: 23.0, through: 1, by: -2).map { 1 / $0 }

/// The natural logarithm of a positive number, to some 1e-15: this floor imports no C library.
///
/// log m·2^e = e·log 2 + 2·artanh((m − 1) / (m + 1)), with m between √½ and √2.
func naturalLogarithm(_ value: Double) -> Double {
  precondition(value > 0, "a logarithm is of a positive number, not \(value)")
  var exponent = Double(value.exponent)
  var mantissa = value.significand
  if mantissa > 2.0.squareRoot() {
    mantissa /= 2
    exponent += 1
  }
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  var sum = 0.0
  for factor in logarithmFactors { sum = sum * square + factor }
  return exponent * 0.693_147_180_559_945_309 + 2 * ratio * sum
}

/// −1 / (n·(n − 1)) for the odd n from 21 down to 3: how each term of a sine's series follows from
/// the one before.
private let sineFactors = stride(from: 21.0, through: 3, by: -2).map { -1 / ($0 * ($0 - 1)) }

/// `angle.remainder(dividingBy: 2 * Double.pi)`, and quickly: the remainder is exact, so that one
/// multiplication and addition without rounding in between gives it.
private func withinHalfTurn(_ angle: Double) -> Double {
  let turn = 2 * Double.pi
  if abs(angle) < Double.pi { return angle }
  let rest = angle.addingProduct(-(angle / turn).rounded(.toNearestOrEven), turn)
  return abs(rest) < Double.pi ? rest : angle.remainder(dividingBy: turn)
}

/// The sine of an angle in radians, to some 1e-14 where the angle is small.
func sine(_ angle: Double) -> Double {
  var rest = withinHalfTurn(angle)
  if rest > Double.pi / 2 { rest = Double.pi - rest }
  if rest < -Double.pi / 2 { rest = -Double.pi - rest }
  let square = rest * rest
  var sum = 0.0
  for factor in sineFactors { sum = (sum + 1) * square * factor }
  return rest * (1 + sum)
}
