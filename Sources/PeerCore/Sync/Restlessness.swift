/// How fast the oscillators wander, as told from how much their line has to give way.
///
/// A line over minutes is straighter than two oscillators are: where they swing, points of now and
/// points of then squeeze it, and its two floors come closer together than they are over the last
/// three seconds by themselves. How much closer, counted in the mean gap among the lowest points of
/// those seconds, is the *squeeze*: about one on any path while the oscillators keep within ρ.
/// Beyond two ρ grows by half each second, so that the line bends; else it comes back by a
/// fiftieth. Where three seconds show the floors only to what the most restless oscillator moves in
/// them, or worse, they tell nothing of it: a radio's delays are not distributed so evenly that
/// their squeeze would stay near one.
struct Restlessness: Sendable {
  /// The stretch of time over which any oscillator is straight.
  static let stretchNanoseconds: Int64 = 3_000_000_000
  /// The fewest points of a direction that a stretch is judged by.
  static let leastPoints = 8
  /// The greatest ρ: 5 ppm is a crystal that is heated within seconds.
  static let greatest = 5e-6
  /// By how many of the lowest points the gap among them is told: seconds have but a few.
  static let pointCount = 6
  /// How much of each second's squeeze is taken in; what is too much; how ρ answers.
  static let share = 0.3
  static let tooMuch = 2.0
  static let growth = 1.5
  static let decay = 0.98
  /// The mean gap, in nanoseconds, from which on a stretch tells nothing.
  static let coarsest = greatest * Double(stretchNanoseconds)
  private static let second: Int64 = 1_000_000_000

  private let least: Double
  /// ρ, as a fraction.
  private(set) var ageing: Double
  /// Whether the oscillators seem to keep within the least ρ, or a little more.
  var isCalm: Bool { ageing < least * Self.growth }
  private var squeeze = 1.5
  private var learned = Int64.min / 2

  /// Begins with the least ρ, as a fraction.
  init(least: Double) {
    self.least = least
    ageing = least
  }

  /// Forgets what was seen in one window, but not how restless the oscillators are.
  mutating func begin() { squeeze = 1.5 }

  /// Learns from a fit at `now`, in nanoseconds, once a second at most.
  mutating func learn(
    from fit: MaxMarginLine.Fit, forward: DelayFloor, reverse: DelayFloor, at now: Int64
  ) {
    guard now - learned >= Self.second else { return }
    learned = now
    let ahead = forward.newest(since: now - Self.stretchNanoseconds)
    let back = reverse.newest(since: now - Self.stretchNanoseconds)
    guard min(ahead.observations.count, back.observations.count) >= Self.leastPoints else { return }
    let local = MaxMarginLine.straight(forward: ahead, reverse: back, near: fit.skew, at: now)
    let gap = (Self.spread(ahead, local.skew, now) + Self.spread(back, -local.skew, now)) / 5
    guard gap < Self.coarsest else { return calm() }
    squeeze += ((local.floor - fit.floor) / max(10, gap) - squeeze) * Self.share
    guard squeeze > Self.tooMuch else { return calm() }
    ageing = min(ageing * Self.growth, Self.greatest)
  }

  private mutating func calm() { ageing = max(ageing * Self.decay, least) }

  /// How far the lowest six points of a direction lie apart.
  private static func spread(_ floor: DelayFloor, _ slope: Double, _ now: Int64) -> Double {
    let lowest = floor.lowest(pointCount, slope: slope, ageing: 0, from: now)
    return lowest[lowest.count - 1].height - lowest[0].height
  }
}
