/// Where one sound lies on the timeline of the sound that its group is measured by.
public struct SoundPlace: Sendable {
  /// The number of the sound whose timeline this is: its own where it stands alone.
  public let root: Int
  /// Where its first sample lies, in seconds.
  public let offsetSeconds: Double
  /// By how much its clock runs fast against that sound's.
  public let ppm: Double
  /// Pairs of seconds, its own and the timeline's, between which the map is straight.
  public let map: [Knot]
  /// The offset's standard deviation by the pairs, in seconds.
  public let sigmaSeconds: Double
  /// How far it stands out from chance; nothing where it stands alone.
  public let evidence: Evidence?
  public let isInverted: Bool

  /// A point of the map.
  public struct Knot: Hashable, Sendable {
    /// Seconds from the sound's first sample, at its nominal rate.
    public let own: Double
    /// Seconds on the timeline.
    public let timeline: Double
  }

  /// The map without what was lost: that of the sound as it is once the lost samples are put back.
  public let smoothKnots: [Knot]

  init(
    _ index: Int, graph: PairGraph, findings: [PairFinding], hertz: Double, length: Double
  ) {
    let place = graph.places[index]
    root = place.root
    let direct = findings.first { finding in
      finding.isFound && (finding.one, finding.other) == (place.root, index)
    }
    let reverse = findings.first { finding in
      finding.isFound && (finding.one, finding.other) == (index, place.root)
    }
    let related = findings.filter { $0.isFound && ($0.one == index || $0.other == index) }
    evidence = (direct ?? reverse ?? related.first)?.comparison?.evidence
    isInverted = (direct ?? reverse)?.comparison?.isInverted ?? false
    offsetSeconds = place.offset / hertz
    ppm = (1 / place.rate - 1) * 1e6
    sigmaSeconds = place.sigma / hertz
    let bends: (Double) -> Double
    var positions = [0, length]
    if let model = direct?.comparison?.model, !model.curve.isEmpty || !model.steps.isEmpty {
      bends = { model.delay(at: $0) - model.offset - model.slope * $0 }
      positions += model.curve.map(\.position)
      positions += model.steps.flatMap { [$0.position - 1e-3, $0.position] }
    } else {
      bends = { _ in 0 }
    }
    smoothKnots = Self.smoothed(
      direct?.comparison?.model, place: place, hertz: hertz, length: length)
    map = positions.filter { $0 >= 0 && $0 <= length }.sorted().map { position in
      Knot(
        own: position / hertz,
        timeline: (position * place.rate + place.offset + bends(position)) / hertz)
    }
  }
}

extension SoundPlace {
  private static func smoothed(
    _ model: DelayModel?, place: PairGraph.Place, hertz: Double, length: Double
  ) -> [Knot] {
    guard let model, !model.curve.isEmpty else { return [] }
    let inner = model.curve.map(\.position).filter { $0 > 0 && $0 < length }
    let positions: [Double] = [0] + inner + [length]
    return positions.map { position in
      let sample = position * place.rate + place.offset + model.bend(at: position)
      return Knot(own: position / hertz, timeline: sample / hertz)
    }
  }

  /// Its seconds to one of the timeline's.
  public var rate: Double { 1 + ppm * 1e-6 }

  /// Whether its rate changes.
  public var isCurved: Bool { !smoothKnots.isEmpty }

  /// Where its second `own` lies on the timeline, lost samples put back.
  public func smooth(at own: Double) -> Double {
    isCurved ? Self.value(at: own, on: smoothKnots) : offsetSeconds + own / rate
  }

  /// Where its second `own` lies on the timeline, as it was recorded.
  public func timeline(at own: Double) -> Double { Self.value(at: own, on: map) }

  private static func value(at own: Double, on knots: [Knot]) -> Double {
    var place = 0
    while place < knots.count - 2, own > knots[place + 1].own { place += 1 }
    let (one, two) = (knots[place], knots[place + 1])
    return one.timeline + (own - one.own) * (two.timeline - one.timeline) / (two.own - one.own)
  }
}
