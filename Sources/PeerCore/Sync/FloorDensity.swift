/// How densely a direction's floor is hit, told from its lowest observations.
///
/// Of n exponential delays with mean m the lowest lies m/n above the floor in the mean, and so far
/// apart lie the lowest few: their gaps tell what the floor itself does not show.
struct FloorDensity: Sendable {
  /// How many of the lowest observations are looked at.
  static let lowestCount = 10

  /// The first of them by whose height the excess is judged: a single gap is mere chance.
  private static let leastPlace = 2

  /// How far the lowest observation lies above the true floor in the mean, in nanoseconds, 10 or
  /// more: rather too much than too little.
  let scale: Double
  /// The least that the gaps allow for the same: what may be taken off the lowest without
  /// making up a floor that is not there.
  let excess: Double
  /// The height of the highest observation that was looked at, in nanoseconds.
  let reach: Double
  /// When the newest of them was made, in nanoseconds relative to now.
  let newest: Double

  /// Tells it from the `lowest` heights of a direction, ascending, at least one; the `roundTrip`
  /// of both floors; and the lowest of the `other` direction.
  init(lowest: [DelayFloor.Low], roundTrip: Double, other: [DelayFloor.Low]) {
    let gaps = Double(lowest.count - 1)
    let measured = Self.meanGap(of: lowest)
    // A few exchanges say little of how low the next may be: their round trip stands in.
    let few = gaps < 5 ? roundTrip / (2 + 4 * gaps * gaps) : 0
    // A tie among the lowest is luck: no direction is taken for eight times as sharp.
    scale = max(10, measured + few, Self.meanGap(of: other) / 8)
    var excess = measured
    for (place, low) in lowest.enumerated().dropFirst(Self.leastPlace) {
      excess = min(excess, (low.height - lowest[0].height) / Double(place))
    }
    self.excess = excess
    reach = lowest[lowest.count - 1].height
    newest = lowest.map(\.x).max() ?? 0
  }

  private static func meanGap(of lowest: [DelayFloor.Low]) -> Double {
    guard lowest.count > 1 else { return 0 }
    return (lowest[lowest.count - 1].height - lowest[0].height) / Double(lowest.count - 1)
  }
}
