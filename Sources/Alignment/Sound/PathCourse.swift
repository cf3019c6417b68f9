/// What the path over the blocks says of the model: a line, a curve, or levels with steps.
struct PathCourse {
  private let path: [LagPath.Point]
  private let middles: [Double]

  /// What a step has at least, in samples.
  private static let leastStep = 6.0

  init(_ path: [LagPath.Point], middles: [Double]) {
    self.path = path
    self.middles = middles
  }

  /// Whether the model was so far off that the track about it missed places.
  var isFar: Bool { path.contains { abs($0.lag) > Double(DelayTrack.near) / 2 } || !jumps.isEmpty }

  /// Runs of blocks that the path does not go through, by their numbers, of `least` blocks at
  /// least.
  func blanks(least: Int) -> [Range<Int>] {
    let edges = [-1] + path.map(\.block) + [middles.count]
    return zip(edges, edges.dropFirst()).map { $0 + 1..<$1 }.filter { $0.count >= least }
  }

  /// The points of the path that begin a new level.
  var jumps: [Int] {
    path.indices.dropFirst().filter { place in
      let apart = middles[path[place].block] - middles[path[place - 1].block]
      let room = LagPath.bend + 5e-6 * apart
      return abs(path[place].lag - path[place - 1].lag) > room
        && abs(path[place].lag - path[place - 1].lag) >= Self.leastStep
    }
  }

  /// The model with what the path says of it.
  func applied(to model: DelayModel) -> DelayModel {
    guard path.count >= 3 else { return model }
    var model = model
    // The path is about the model, whose own steps it does not show.
    let steps = jumps.map { jump in
      let (before, after) = (path[jump - 1], path[jump])
      let (from, to) = (middles[before.block], middles[after.block])
      // A block says where most of its windows are: half of it may be of the other level.
      let room = (to - from) / 2 * (1 + 1 / Double(after.block - before.block))
      return DelayModel.Step(
        position: (from + to) / 2, samples: after.lag - before.lag, room: room)
    }
    model.steps = (model.steps + steps).sorted { $0.position < $1.position }
    let x = path.map { middles[$0.block] }
    let level = DelayModel(offset: 0, slope: 0, steps: steps)
    let y = path.indices.map { path[$0].lag - level.delay(at: x[$0]) }
    let fit = WeightedLine(
      x: x, y: y, weights: x.map { _ in 1 }, floor: 0.5)
    model.add(offset: fit.intercept, slope: fit.slope)
    let rest = x.indices.map { y[$0] - fit.intercept - fit.slope * x[$0] }
    if model.steps.isEmpty, (rest.map(abs).max() ?? 0) > 3,
      let curve = SmoothCurve.fit(
        positions: x, delays: rest, weights: x.map { _ in 1 },
        sharpest: SmoothCurve.sharpestByEar)
    {
      model.addCurve(curve)
    }
    return model
  }
}
