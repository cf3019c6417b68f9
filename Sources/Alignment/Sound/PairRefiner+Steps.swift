/// Sounds whose delay jumps: each level is polished by itself, then each jump is judged by whether
/// the room answers alike on both of its sides.
extension PairRefiner {
  /// What stands between two steps.
  private struct Level {
    /// Where it certainly holds.
    var range: Range<Int64>
    var polish: CoherentPolish
    /// Where it begins and ends, once that is known.
    var start: Int64
    var end: Int64
    /// The delay in the level's middle.
    var middle: Double { Double(range.lowerBound + range.upperBound) / 2 }
    var delay: Double { polish.model.delay(at: middle) }
  }

  /// What is kept clear of a step that was located.
  private static let clear = Double(3 * WindowPair.count)

  func refineSteps(_ model: DelayModel) throws(SoundReadError) -> PairComparison {
    let track = try track(about: model)
    // The path tells a step to within a block; located, it leaves its levels far more room.
    let located = try located(model, track: track.soundings)
    let levels = try levels(of: located, track: track.soundings)
    guard let longest = levels.max(by: { $0.range.count < $1.range.count }) else {
      return result(try polish(model, track: track.soundings, in: range), track: track.soundings)
    }
    let slope = Self.commonSlope(of: levels)
    let steps = steps(between: levels, slope: slope)
    let lost = steps.filter { $0.cause != .sourceMoved }
    let weight = levels.reduce(0.0) { $0 + Double($1.end - $1.start) }
    var whole = DelayModel(offset: 0, slope: slope)
    whole.steps = lost.map { DelayModel.Step(position: $0.position, samples: $0.samples) }
    whole.offset =
      levels.reduce(0.0) {
        $0 + Double($1.end - $1.start) * ($1.delay - whole.delay(at: $1.middle))
      } / weight
    if lost.count == steps.count {
      return result(
        try polish(whole, track: track.soundings, in: range), track: track.soundings, steps: steps)
    }
    var comparison = result(longest.polish, track: track.soundings, steps: steps)
    comparison.model = whole
    comparison.slopeSigma = Self.commonSigma(of: levels)
    return comparison
  }

  /// The model with each of its steps where the sounds show it.
  private func located(
    _ model: DelayModel, track: [Sounding]
  ) throws(SoundReadError) -> DelayModel {
    var levels = try levels(of: model, track: track)
    for place in levels.indices.dropLast() {
      let position = Int64(try located(between: levels[place], and: levels[place + 1]))
      levels[place].end = position
      levels[place + 1].start = position
    }
    var located = model
    located.steps = zip(levels, levels.dropFirst()).map { before, after in
      let place = Double(after.start)
      return DelayModel.Step(
        position: place,
        samples: after.polish.model.delay(at: place) - before.polish.model.delay(at: place),
        room: Self.clear)
    }
    if let first = levels.first {
      located.offset = first.polish.model.offset
      located.slope = first.polish.model.slope
    }
    return located
  }

  /// The step between two levels, which lie a little apart.
  private func located(between one: Level, and other: Level) throws(SoundReadError) -> Double {
    let margin = Int64(4 * WindowPair.count)
    let low = max(one.range.lowerBound, one.range.upperBound - margin)
    let high = min(other.range.upperBound, other.range.lowerBound + margin)
    return try StepLocator(pair: pair).locate(
      from: one.polish.model, to: other.polish.model, in: low..<high)
  }

  private func levels(
    of model: DelayModel, track: [Sounding]
  ) throws(SoundReadError) -> [Level] {
    let ends = [Double(range.lowerBound), Double(range.upperBound)]
    let edges = [ends[0]] + model.steps.map(\.position) + [ends[1]]
    let rooms = [0] + model.steps.map { max(Self.clear, $0.room) } + [0]
    var levels: [Level] = []
    for place in edges.indices.dropLast() {
      let (low, high) = (edges[place], edges[place + 1])
      // A short level keeps its middle third.
      let most = (high - low) / 3
      let first = Int64(low + min(most, rooms[place]))
      let last = Int64(high - min(most, rooms[place + 1]))
      guard last - first > Int64(WindowPair.count) else { continue }
      var flat = model
      flat.offset += model.steps.reduce(0) { $0 + ($1.position <= low ? $1.samples : 0) }
      flat.steps = []
      flat.curve = []
      let inside = track.filter { $0.position > Double(first) && $0.position < Double(last) }
      let fitted = TrackFit.fitted(flat, to: inside, curved: false)
      levels.append(
        Level(
          range: first..<last,
          polish: try polish(
            fitted, track: inside, in: first..<last, tellsConstancy: true),
          start: Int64(low), end: Int64(high)))
    }
    return levels
  }

  private static func commonSlope(of levels: [Level]) -> Double {
    let weights = levels.map { level in
      let sigma = level.polish.line.slopeSigma + 0.02 / Double(level.range.count)
      return 1 / (sigma * sigma)
    }
    let sum = levels.indices.reduce(0.0) { $0 + weights[$1] * levels[$1].polish.model.slope }
    return sum / weights.reduce(0, +)
  }

  private static func commonSigma(of levels: [Level]) -> Double {
    let weights = levels.map { level in
      let sigma = level.polish.line.slopeSigma + 0.02 / Double(level.range.count)
      return 1 / (sigma * sigma)
    }
    return 1 / weights.reduce(0, +).squareRoot()
  }

  private func steps(between levels: [Level], slope: Double) -> [FoundStep] {
    zip(levels, levels.dropFirst()).compactMap { before, after in
      let position = Double(after.start)
      let jump =
        after.delay + slope * (position - after.middle)
        - before.delay - slope * (position - before.middle)
      let likeness = RoomAnswer.likeness(before.polish.response, after.polish.response)
      // Where a level's own halves are not alike there is no room that could tell.
      let isRoom = min(before.polish.constancy, after.polish.constancy) > Self.samePlace
      let isSame = likeness > Self.samePlace || (!isRoom && isWhole(jump))
      // Levels that are one: the path went astray between them.
      if abs(jump) < Self.leastStep { return nil }
      let cause: FoundStep.Cause =
        isSame ? (jump > 0 ? .lostInOther : .lostInOne) : .sourceMoved
      return FoundStep(
        position: position, samples: isSame ? jump.rounded() : jump, cause: cause,
        likeness: likeness)
    }
  }

  /// Whether so many samples may have been lost: samples are lost whole.
  private func isWhole(_ jump: Double) -> Bool {
    !pair.isWhole || abs(jump - jump.rounded()) < Self.wholeness
  }
}
