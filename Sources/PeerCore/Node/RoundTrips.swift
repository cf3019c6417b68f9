internal import Units

/// How long the latest questions on one path took to be answered.
struct RoundTrips: Sendable {
  /// How many are remembered, and how many tell anything.
  static let span = 8
  static let enough = 4
  /// Round trips that differ by less say nothing of which path is the better one.
  static let leastDifference = Duration.microseconds(200)

  private var latest: [Duration] = []

  mutating func note(_ roundTrip: Duration) {
    if latest.count == Self.span { latest.removeFirst() }
    latest.append(roundTrip)
  }

  /// The shortest, once there are enough.
  var least: Duration? { latest.count < Self.enough ? nil : latest.min() }

  /// Whether `one` is less than half of `other`; nothing where neither is.
  static func isFarShorter(_ one: Duration, than other: Duration) -> Bool? {
    if one * 2 < other, other - one > leastDifference { return true }
    if other * 2 < one, one - other > leastDifference { return false }
    return nil
  }
}
