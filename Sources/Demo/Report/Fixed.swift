/// Numbers as text with a fixed number of decimals.
package enum Fixed {
  /// `value` with `decimals` decimals; a dash where it is missing.
  package static func text(_ value: Double?, decimals: Int, signed: Bool = false) -> String {
    guard let value, value.isFinite, value.magnitude < 1e12 else { return "–" }
    let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    let whole = Int64((value.magnitude * scale).rounded())
    let digits = String(whole)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = value < 0 && whole != 0 ? "−" : signed ? "+" : ""
    if decimals == 0 { return sign + padded }
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}
