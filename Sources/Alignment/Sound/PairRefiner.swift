/// Carries a checked candidate on to the sample's fraction: track, line or curve or steps, and
/// polish by phase.
struct PairRefiner {
  let pair: SoundPair
  let workers: any Workers
  let start: CandidateCheck
  let range: Range<Int64>
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
  static let samePlace = 0.4
  /// How far off a whole number of samples a loss may seem, and what is no step at all.
  static let wholeness = 0.15
  static let leastStep = 0.5
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

  func track(about model: DelayModel) throws(SoundReadError) -> DelayTrack {
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
      func step(before block: Int, by samples: Double) -> DelayModel.Step {
        let (one, two) = (middles[block - 1], middles[block])
        return DelayModel.Step(position: (one + two) / 2, samples: samples, room: two - one)
      }
      if blank.lowerBound == 0 {
        model.offset += apart
      } else {
        model.steps.append(step(before: blank.lowerBound, by: apart))
      }
      if blank.upperBound < middles.count {
        model.steps.append(step(before: blank.upperBound, by: -apart))
      }
      model.steps.sort { $0.position < $1.position }
      return true
    }
    return false
  }

  func polish(
    _ model: DelayModel, track: [Sounding], in range: Range<Int64>, tellsConstancy: Bool = false
  ) throws(SoundReadError) -> CoherentPolish {
    let apart = range.count / WindowPair.count
    return try CoherentPolish(
      of: pair, model: model, track: track, range: range,
      limit: max(Self.polishEnough, min(Self.polishLimit, apart)),
      tellsConstancy: tellsConstancy, workers: workers)
  }

  func result(
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
