import Units

/// What one direction of a path has shown: each packet's delay plus or minus the clocks' offset.
///
/// The last two seconds are kept whole, and of each second before that the lowest only: what
/// lies far above the floor bounds nothing.
struct DelayFloor: Sendable {
  /// A difference of two clocks' readings, and when it was taken.
  struct Observation: Sendable {
    /// In nanoseconds of this host's clock.
    let at: Int64
    /// In nanoseconds, less a constant that keeps a `Double` exact.
    let value: Double
  }

  /// The most observations kept whole.
  static let mostWhole = 256

  /// In the order of their times.
  private(set) var observations: [Observation] = []
  /// How many of them stand for a second each.
  private(set) var settled = 0

  /// Takes an observation in, in its place: replies may overtake one another.
  mutating func insert(_ observation: Observation) {
    var place = observations.count
    while place > settled, observations[place - 1].at > observation.at { place -= 1 }
    // What belongs among the settled comes too late to count.
    if place == settled, let last = observations[..<settled].last, last.at > observation.at {
      return
    }
    observations.insert(observation, at: place)
  }

  /// Settles what is older than two seconds at `now`, and drops what is older than `window`,
  /// in nanoseconds. Observations of one second are compared along `slope`: at 100 ppm a second
  /// is 100 us.
  mutating func thin(at now: Int64, window: Int64, slope: Double) {
    let edge = now - 2_000_000_000
    while settled < observations.count,
      observations[settled].at < edge || observations.count - settled > Self.mostWhole
    { settle(slope: slope) }
    let expired = observations[..<settled].prefix { $0.at < now - window }.count
    guard expired > 0 else { return }
    observations.removeFirst(expired)
    settled -= expired
  }

  private mutating func settle(slope: Double) {
    let next = observations[settled]
    guard settled > 0 else {
      settled = 1
      return
    }
    let last = observations[settled - 1]
    guard last.at / 1_000_000_000 == next.at / 1_000_000_000 else {
      settled += 1
      return
    }
    // Only the lower of the two remains; the other's place is closed.
    let rise = next.value - last.value - slope * Double(next.at - last.at)
    observations.remove(at: rise < 0 ? settled - 1 : settled)
  }

  /// Forgets what was observed before `start`.
  mutating func forget(before start: Int64) {
    let gone = observations.prefix { $0.at < start }.count
    observations.removeFirst(gone)
    settled = max(0, settled - gone)
  }

  /// The observations since `start` alone.
  func newest(since start: Int64) -> DelayFloor {
    var floor = DelayFloor()
    floor.observations = Array(observations.drop { $0.at < start })
    return floor
  }

  /// The lower convex hull of the observations, with their times counted from `now`: the only
  /// ones that a line below all of them can touch.
  func hull(from now: Int64) -> [MaxMarginLine.Point] {
    var hull: [MaxMarginLine.Point] = []
    hull.reserveCapacity(32)
    // The last two of the hull are at hand: of a hundred points nearly each is put on and taken off.
    guard let first = observations.first else { return hull }
    var one: MaxMarginLine.Point?
    var two = MaxMarginLine.Point(x: Double(first.at - now), value: first.value)
    for observation in observations.dropFirst() {
      let point = MaxMarginLine.Point(x: Double(observation.at - now), value: observation.value)
      while let before = one {
        let turn =
          (two.x - before.x) * (point.value - before.value)
          - (two.value - before.value) * (point.x - before.x)
        if turn > 0 { break }
        two = before
        one = hull.popLast()
      }
      if let one { hull.append(one) }
      one = two
      two = point
    }
    if let one { hull.append(one) }
    hull.append(two)
    return hull
  }

  /// One of the lowest observations.
  struct Low: Sendable {
    /// When it was made, in nanoseconds relative to now, and its height over a line, in nanoseconds.
    let x: Double
    let height: Double
  }

  /// The lowest observations over a line through nought with `slope`, at `now`, ascending, up to
  /// `count` of them; each is raised by its age times `ageing`.
  func lowest(_ count: Int, slope: Double, ageing: Double, from now: Int64) -> [Low] {
    var lowest: [Low] = []
    lowest.reserveCapacity(count)
    // Whoever is higher than the highest of so many is none of them. Age raises what is old, so that
    // from the newest on most are; of two of one height the older comes first.
    var most = Double.infinity
    let tilt = slope + ageing
    for observation in observations.reversed() {
      let x = Double(observation.at - now)
      let height = observation.value - tilt * x
      if height > most { continue }
      // The others move up by one, the last of them out.
      let low = Low(x: x, height: height)
      if lowest.count < count { lowest.append(low) }
      var place = lowest.count - 1
      while place > 0, lowest[place - 1].height >= height {
        lowest[place] = lowest[place - 1]
        place -= 1
      }
      lowest[place] = low
      if lowest.count == count { most = lowest[count - 1].height }
    }
    return lowest
  }
}
