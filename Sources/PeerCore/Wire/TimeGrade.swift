public import Units

/// How well a host knows shared time, in steps that matter when a successor is chosen.
public enum TimeGrade: UInt8, Hashable, Comparable, Sendable {
  /// Not at all: it is unsynced.
  case none = 0
  /// As after the first exchanges: its rate is a guess, and time would leave its line with it.
  case coarse = 1
  /// To microseconds and to the rate.
  case good = 2
  /// By nobody's measuring but by the host's own wall clock: better than nothing, and no more.
  case guess = 3

  /// The growth of the bound, and the bound in nanoseconds, beyond which time is known coarsely.
  static let coarseGrowth = ClockRate(partsPerMillion: 5)
  static let coarseBound: Int64 = 1_000_000

  /// Grades a host's map at `now`.
  public init(_ map: ClockMap?, at now: HostInstant) {
    guard let map else {
      self = .none
      return
    }
    let bound = map.jitterBoundNanoseconds(at: now)
    if bound >= Leadership.guess {
      self = .guess
    } else {
      self = map.boundGrowth > Self.coarseGrowth || bound > Self.coarseBound ? .coarse : .good
    }
  }

  public static func < (one: TimeGrade, other: TimeGrade) -> Bool { one.rank < other.rank }

  /// The order of the grades, from the worst to the best.
  private var rank: Int {
    switch self {
    case .none: 0
    case .guess: 1
    case .coarse: 2
    case .good: 3
    }
  }
}
