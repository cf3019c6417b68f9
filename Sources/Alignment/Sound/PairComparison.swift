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

  /// The response from the one to the other within 5 ms of where the model lays it, its highest
  /// point 1.
  public func answer(hertz: Double) -> [(milliseconds: Double, value: Double)] {
    let reach = Int(hertz / 200)
    guard response.count > 2 * reach else { return [] }
    let values = (-reach...reach).map { lag in
      Double(response[lag < 0 ? lag + response.count : lag])
    }
    let top = max(values.map(abs).max() ?? 1, 1e-12)
    return values.indices.map { place in
      (Double(place - reach) / hertz * 1000, values[place] / top)
    }
  }
}
