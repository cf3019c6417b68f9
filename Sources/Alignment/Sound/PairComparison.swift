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
}

extension PairComparison {
  /// How each window's delay lies about the model, and whether it speaks for it.
  public func residuals(
    hertz: Double
  ) -> [(seconds: Double, microseconds: Double, isInlier: Bool)] {
    track.map { sounding in
      let off = sounding.delay - model.delay(at: sounding.position)
      return (
        sounding.position / hertz, off / hertz * 1e6, abs(off) < 3 && sounding.strength > 4
      )
    }
  }

  /// The standard deviation of the delay at a place of the other, in seconds.
  public func sigma(atSeconds own: Double, hertz: Double) -> Double {
    let middle = Double(overlap.lowerBound + overlap.upperBound) / 2
    let tilt = slopeSigma * (own * hertz - middle)
    return (delaySigma * delaySigma + tilt * tilt).squareRoot() / hertz
  }
}
