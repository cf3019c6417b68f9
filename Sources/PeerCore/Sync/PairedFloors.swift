/// The round trip of a path whose floor one direction hits often and the other seldom, and what that
/// tells of the offset.
///
/// Along a line the points of both directions age by how far they lie from *now*: of a loaded
/// direction, which comes near its floor a few times a minute, hardly anything counts then. Yet the
/// other direction has shown all along how the clocks went. So a seldom hit is laid to the floor of
/// the other direction about the time at which *it* came, and ages by no more than the distance of
/// the two: the lowest such pair of the whole window is the round trip of the floors. With half of it
/// the direction that is hit often gives the offset by itself.
struct PairedFloors: Sendable {
  /// The round trip of the floors in nanoseconds, less what chance adds to the lowest pair.
  let roundTrip: Double

  /// Pairs each point of the `blunt` direction with the `sharp` one's floor about it, both along the
  /// line whose slope for the sharp one is `slope`; neither may be without points.
  init(blunt: DelayFloor, sharp: DelayFloor, slope: Double, ageing: Double, from now: Int64) {
    let floor = sharp.envelope(slope: slope, ageing: ageing, from: now)
    var place = 0
    var lows: [DelayFloor.Low] = []
    for observation in blunt.observations {
      let x = Double(observation.at - now)
      while place + 1 < floor.count, floor[place + 1].x <= x { place += 1 }
      var height = floor[place].height + ageing * abs(x - floor[place].x)
      if place + 1 < floor.count {
        height = min(height, floor[place + 1].height + ageing * (floor[place + 1].x - x))
      }
      lows.append(DelayFloor.Low(x: x, height: observation.value + slope * x + height))
    }
    lows.sort { $0.height < $1.height }
    let lowest = Array(lows.prefix(FloorDensity.lowestCount))
    roundTrip = lowest[0].height - FloorDensity(lowest: lowest, roundTrip: 0, other: []).excess
  }

  /// By how many times one direction's scale must exceed the other's for pairs to say anything, and
  /// from where on they have the say alone: told from ten points each, smaller differences are chance.
  private static let leastRatio = 1.5
  private static let fullRatio = 3.5
  /// The blunter scale, in nanoseconds, below which a line loses nothing.
  private static let leastScale = 500.0

  /// How much the pairs have to say where the directions' scales are these, 0 to 1.
  static func weight(of one: FloorDensity, and other: FloorDensity) -> Double {
    let (sharp, blunt) = (min(one.scale, other.scale), max(one.scale, other.scale))
    guard blunt > leastScale else { return 0 }
    return min(1, max(0, (blunt / sharp - leastRatio) / (fullRatio - leastRatio)))
  }
}

extension DelayFloor {
  /// Along a line through nought with `slope`: how low this direction's floor lay at the time of each
  /// observation, as far as that one and the others about it tell, each raised by `ageing` times its
  /// distance.
  func envelope(slope: Double, ageing: Double, from now: Int64) -> [Low] {
    var lows = observations.map { observation in
      let x = Double(observation.at - now)
      return Low(x: x, height: observation.value - slope * x)
    }
    for (before, place) in zip(lows.indices, lows.indices.dropFirst()) {
      lower(&lows[place], to: lows[before], ageing: ageing)
    }
    for (before, place) in zip(lows.indices, lows.indices.dropFirst()).reversed() {
      lower(&lows[before], to: lows[place], ageing: ageing)
    }
    return lows
  }

  private func lower(_ low: inout Low, to neighbour: Low, ageing: Double) {
    let height = neighbour.height + ageing * abs(low.x - neighbour.x)
    if height < low.height { low = Low(x: low.x, height: height) }
  }
}
