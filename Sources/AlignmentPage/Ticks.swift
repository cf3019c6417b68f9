/// Round figures along an axis.
enum Ticks {
  struct Tick: Hashable {
    let value: Double
    let label: String
  }

  /// Four to nine round values within `range`.
  static func of(_ range: ClosedRange<Double>) -> [Tick] {
    let length = range.upperBound - range.lowerBound
    // Beyond that the labels would not tell one tick from the next.
    guard length.isFinite, length > 1e-12 else { return [] }
    let step = step(of: range)
    let first = Int64((range.lowerBound / step).rounded(.up))
    let last = Int64((range.upperBound / step).rounded(.down))
    guard first <= last, last - first < 20 else { return [] }
    return (first...last).map { Tick(value: Double($0) * step, label: label($0, step: step)) }
  }

  /// `range` with a little air at both ends.
  static func widened(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    let air = (range.upperBound - range.lowerBound) * 0.03
    return (range.lowerBound - air)...(range.upperBound + air)
  }

  /// 1, 2 or 5 times a power of ten, so that about five steps fill the range.
  private static func step(of range: ClosedRange<Double>) -> Double {
    let rough = (range.upperBound - range.lowerBound) / 5
    var decade = 1.0
    while decade > rough { decade /= 10 }
    while decade * 10 <= rough { decade *= 10 }
    let best = [1.0, 2, 5, 10].first { $0 * decade >= rough } ?? 10
    return best * decade
  }

  /// The value with just the digits that the step has.
  private static func label(_ count: Int64, step: Double) -> String {
    var places = 0
    var scaled = step
    while scaled < 0.999_999, places < 9 {
      scaled *= 10
      places += 1
    }
    let value = Double(count) * step
    if places == 0 { return "\(Int64(value.rounded()))" }
    var power: Int64 = 1
    for _ in 0..<places { power *= 10 }
    let whole = Int64((value * Double(power)).rounded())
    let digits = String((whole % power).magnitude)
    let fraction = String(repeating: "0", count: places - digits.count) + digits
    return (whole < 0 ? "−" : "") + "\((whole / power).magnitude).\(fraction)"
  }
}
