public import Units

/// The labels of a session's takes: their numbers, and `7b`, `7c` where a number doubles.
///
/// A number doubles where a fleet was split and both sides went on counting.
public enum TakeLabels {
  /// Labels by take id. Of takes with one number the earliest bears it alone; those after it a
  /// letter more, in order of T0 and id.
  public static func labels(
    of takes: [(id: TakeID, number: Int, t0: SharedInstant)]
  ) -> [TakeID: String] {
    var labels: [TakeID: String] = [:]
    for (number, same) in Dictionary(grouping: takes, by: \.number) {
      var earliest: [TakeID: SharedInstant] = [:]
      for take in same { earliest[take.id] = min(take.t0, earliest[take.id] ?? take.t0) }
      let ordered = earliest.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
      for (place, take) in ordered.enumerated() {
        labels[take.key] = "\(number)\(letters(place))"
      }
    }
    return labels
  }

  /// Nothing for the first, then b to z, then ba, bb and so on.
  private static func letters(_ place: Int) -> String {
    var rest = place
    var text = ""
    while rest > 0 {
      text = String(Unicode.Scalar(UInt8(ascii: "a") + UInt8(rest % 26))) + text
      rest /= 26
    }
    return text
  }
}
