/// What came of a scenario played from one seed.
public struct Outcome: Sendable {
  public let scenario: String
  public let seed: UInt64
  /// What was broken, the first of each kind, with the time; nothing where all held.
  public let violations: [String]
  /// The largest error once all was settled, in microseconds.
  public let worstMicroseconds: Double
  /// The largest ratio of an error to its bound, of jitter and path.
  public let worstRatio: Double
  /// How many readings there were, and in how many the error lay within the jitter bound.
  public let readings: Int
  public let readingsWithinJitter: Int
  /// How far the timeline came off the one that its session began with, in microseconds.
  public let driftMicroseconds: Double
  /// What the scenario measured besides, a sentence each.
  public let notes: [String]

  /// The share of readings, of all these outcomes, whose error lay within the jitter bound.
  public static func jitterShare(of outcomes: [Outcome]) -> Double {
    let all = outcomes.reduce(0) { $0 + $1.readings }
    let within = outcomes.reduce(0) { $0 + $1.readingsWithinJitter }
    return all == 0 ? 1 : Double(within) / Double(all)
  }

  /// Whether every invariant and the budget held.
  public var isGood: Bool { violations.isEmpty }
}
