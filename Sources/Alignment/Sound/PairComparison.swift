/// How one sound lies in another, found by comparing the two.
public struct PairComparison: Sendable {
  /// The delay along the other: its sample p sounds like the one's sample p + delay(p).
  var model: DelayModel
  public let evidence: Evidence
  /// Whether one of the two has the other's polarity.
  public let isInverted: Bool
  /// The other's samples that both have, at the rate of comparison.
  let overlap: Range<Int64>
  /// Standard deviations of the delay in the overlap's middle, in samples, and of the slope.
  let delaySigma: Double
  var slopeSigma: Double
  /// Where the delay jumps.
  public let steps: [FoundStep]
  /// The part of the groups of windows that show the delay.
  public let agreeing: Double
  public let coherence: Double
  let soundings: [Sounding]
  let track: [Sounding]
  let response: [Float]
}
