/// Fits a model to what a track's windows say.
enum TrackFit {
  /// The model with the line, and where needed the curve, that the track shows.
  static func fitted(
    _ model: DelayModel, to track: [Sounding], curved: Bool = true
  ) -> DelayModel {
    guard !track.isEmpty else { return model }
    var model = model
    let x = track.map(\.position)
    let y = track.map { $0.delay - model.delay(at: $0.position) }
    let weights = track.map { max(0.02, min(10, $0.strength - 3.5)) }
    let strongest = weights.indices.sorted { weights[$0] > weights[$1] }.prefix(100)
    let line = Consensus.line(
      x: strongest.map { x[$0] }, y: strongest.map { y[$0] },
      weights: strongest.map { weights[$0] }, tolerance: 3, steepest: 20e-6)
    let near = x.indices.filter { abs(y[$0] - line.offset - line.slope * x[$0]) < 12 }
    let fit = RobustLine(
      x: near.map { x[$0] }, y: near.map { y[$0] }, weights: near.map { weights[$0] },
      offset: line.offset, slope: line.slope, least: 0.3)
    model.add(offset: fit.offset, slope: fit.slope)
    let rest = near.map { y[$0] - fit.offset - fit.slope * x[$0] }
    if curved,
      let curve = SmoothCurve.fit(
        positions: near.map { x[$0] }, delays: rest, weights: near.map { weights[$0] },
        sharpest: SmoothCurve.sharpestByEar)
    {
      model.addCurve(curve)
    }
    return model
  }
}
