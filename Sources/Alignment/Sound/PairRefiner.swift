/// Carries a checked candidate on to the sample's fraction: track, line or curve or steps, and
/// polish by phase.
struct PairRefiner {
  let pair: SoundPair
  let workers: any Workers
  private let start: CandidateCheck
  private let range: Range<Int64>
  private let search: Search

  /// Looks for where a stretch of the other lies in the one, wherever that is.
  typealias Search = (Range<Int64>) throws(SoundReadError) -> CandidateCheck?

  /// Windows of the track and of the polish at most; neither takes more than are enough where they
  /// overlap.
  private static let trackLimit = 480
  private static let trackEnough = 96
  private static let polishLimit = 1800
  private static let polishEnough = 1000
  /// Room's answers more alike than this are of the same places.
  private static let samePlace = 0.12
  /// Jumps beyond the track's reach that are looked for at most; which part of all blocks without a
  /// place makes that worthwhile; and how many such stretches are tried each time.
  private static let farLimit = 6
  private static let farShare = 30
  private static let farTrials = 2

  init(
    pair: SoundPair, start: CandidateCheck, workers: any Workers, search: @escaping Search
  ) {
    self.search = search
    self.pair = pair
    self.start = start
    self.workers = workers
    range = pair.overlap(offset: start.offset)
  }

  func refine() throws(SoundReadError) -> PairComparison {
    var model = DelayModel(offset: start.offset, slope: start.slope)
    var track = try track(about: model)
    var course = Self.course(of: track)
    for _ in 0..<Self.farLimit {
      guard try addFarStep(to: &model, course: course, middles: track.middles) else { break }
      track = try self.track(about: model)
      course = Self.course(of: track)
    }
    model = course.applied(to: model)
    if !model.steps.isEmpty { return try refineSteps(model) }
    if course.isFar { track = try self.track(about: model) }
    model = TrackFit.fitted(model, to: track.soundings)
    let polish = try polish(model, track: track.soundings, in: range)
    return result(polish, track: track.soundings)
  }

  private func track(about model: DelayModel) throws(SoundReadError) -> DelayTrack {
    let apart = range.count / WindowPair.count
    return try DelayTrack(
      of: pair, about: model, polarity: start.polarity, in: range,
      limit: max(Self.trackEnough, min(Self.trackLimit, apart)), workers: workers)
  }

  private static func course(of track: DelayTrack) -> PathCourse {
    let path = LagPath.best(offers: track.offers, positions: track.middles, drift: 5e-6)
    return PathCourse(path, middles: track.middles)
  }

  /// Looks elsewhere for a stretch that has nothing within the track's reach: so much was lost
  /// before it, or behind it.
  private func addFarStep(
    to model: inout DelayModel, course: PathCourse, middles: [Double]
  ) throws(SoundReadError) -> Bool {
    let least = max(2, middles.count / Self.farShare)
    let blanks = course.blanks(least: least).sorted { $0.count > $1.count }
    for blank in blanks.prefix(Self.farTrials) {
      let (from, to) = (middles[blank.lowerBound], middles[blank.upperBound - 1])
      guard let found = try search(Int64(from)..<Int64(to)), found.agrees else { continue }
      let middle = (from + to) / 2
      let apart = found.offset + found.slope * middle - model.delay(at: middle)
      guard abs(apart) > Double(DelayTrack.far) / 2 else { continue }
      func edge(_ block: Int) -> Double { (middles[block - 1] + middles[block]) / 2 }
      if blank.lowerBound == 0 {
        model.offset += apart
      } else {
        model.steps.append(DelayModel.Step(position: edge(blank.lowerBound), samples: apart))
      }
      if blank.upperBound < middles.count {
        model.steps.append(DelayModel.Step(position: edge(blank.upperBound), samples: -apart))
      }
      model.steps.sort { $0.position < $1.position }
      return true
    }
    return false
  }

  private func polish(
    _ model: DelayModel, track: [Sounding], in range: Range<Int64>
  ) throws(SoundReadError) -> CoherentPolish {
    let apart = range.count / WindowPair.count
    return try CoherentPolish(
      of: pair, model: model, track: track, range: range,
      limit: max(Self.polishEnough, min(Self.polishLimit, apart)), workers: workers)
  }

  private func result(
    _ polish: CoherentPolish, track: [Sounding], steps: [FoundStep] = []
  ) -> PairComparison {
    var model = polish.model
    let strong = polish.soundings.map { max(0, min(30, $0.strength - 3.5)) }
    if let more = SmoothCurve.fit(
      positions: polish.soundings.map(\.position), delays: polish.soundings.map(\.delay),
      weights: strong.map { $0 * $0 + 1e-6 },
      sharpest: SmoothCurve.sharpestByEar)
    {
      model.addCurve(more)
    }
    let agreeing = polish.soundings.count { $0.strength > 5 && abs($0.delay) < 3 }
    return PairComparison(
      model: model, evidence: polish.evidence, isInverted: start.polarity < 0, overlap: range,
      delaySigma: polish.line.heightSigma, slopeSigma: polish.line.slopeSigma, steps: steps,
      agreeing: Double(agreeing) / Double(max(1, polish.soundings.count)),
      coherence: polish.coherence, soundings: polish.soundings, track: track)
  }
}

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

  /// The comparison of sounds whose delay jumps: each level is polished by itself, then each jump
  /// is judged by whether the room answers alike on both of its sides.
  private func refineSteps(_ model: DelayModel) throws(SoundReadError) -> PairComparison {
    let track = try track(about: model)
    var levels = try levels(of: model, track: track.soundings)
    for place in levels.indices.dropLast() {
      let position = Int64(try located(between: levels[place], and: levels[place + 1]))
      levels[place].end = position
      levels[place + 1].start = position
    }
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
    let edges = [range.lowerBound] + model.steps.map { Int64($0.position) } + [range.upperBound]
    let room = Int64(range.count / 100 + 3 * WindowPair.count)
    var levels: [Level] = []
    for (low, high) in zip(edges, edges.dropFirst()) {
      let first = low == range.lowerBound ? low : low + room
      let last = high == range.upperBound ? high : high - room
      guard last - first > Int64(WindowPair.count) else { continue }
      let part = first..<last
      var flat = model
      flat.offset += model.steps.reduce(0) { $0 + (Int64($1.position) <= low ? $1.samples : 0) }
      flat.steps = []
      flat.curve = []
      let inside = track.filter { $0.position > Double(first) && $0.position < Double(last) }
      let fitted = TrackFit.fitted(flat, to: inside, curved: false)
      levels.append(
        Level(
          range: part, polish: try polish(fitted, track: inside, in: part), start: low, end: high))
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
    zip(levels, levels.dropFirst()).map { before, after in
      let position = Double(after.start)
      let jump =
        after.delay + slope * (position - after.middle)
        - before.delay - slope * (position - before.middle)
      let likeness = RoomAnswer.likeness(before.polish.response, after.polish.response)
      let isBare =
        RoomAnswer.isBare(before.polish.response) && RoomAnswer.isBare(after.polish.response)
      let isSame = likeness > Self.samePlace || (isBare && abs(jump - jump.rounded()) < 0.1)
      let cause: FoundStep.Cause =
        isSame ? (jump > 0 ? .lostInOther : .lostInOne) : .sourceMoved
      return FoundStep(
        position: position, samples: isSame ? jump.rounded() : jump, cause: cause,
        likeness: likeness)
    }
  }
}
