/// Whether windows spread over the common stretch agree that a candidate's place is right.
struct CandidateCheck: Sendable {
  /// The line they agree on.
  let offset: Double
  let slope: Double
  /// 1, or -1 where one of the two has the other polarity.
  let polarity: Float
  let windows: Int
  let agreeing: Int
  /// By which candidates are compared: repeated music fools either of its parts alone.
  let rank: Double

  /// Whether most windows agree, which chance does not bring about.
  var agrees: Bool { agreeing >= 4 && 5 * agreeing >= 3 * windows }

  /// Windows that are looked at.
  private static let limit = 16
  /// How far from the line an agreeing window may lie, in samples.
  private static let tolerance = 12.0
  /// Crystals are not further apart.
  static let steepest = 400e-6

  init(
    _ candidate: EnvelopeSearch.Candidate, from start: Int64, in segment: Range<Int64>,
    of pair: SoundPair, lively: LivelyWindows, workers: any Workers
  ) throws(SoundReadError) {
    let hop = Double(BandEnvelope.hop)
    let offset = Double(candidate.lag) * hop - Double(start)
    let range = pair.overlap(offset: offset).clamped(to: segment)
    let positions = lively.positions(in: range, limit: Self.limit)
    let span = Double((positions.last ?? 0) - (positions.first ?? 0) + Int64(WindowPair.count))
    let wide = 4800 + Self.steepest * span
    let reach = min(Int(wide), WindowPair.count / 4)
    let pieces = 2
    let found = try workers.tryMap(pieces) { piece throws(SoundReadError) in
      var windows = pair.windows()
      let places = stride(from: piece, to: positions.count, by: pieces).map {
        WindowPair.Place(position: positions[$0], delay: Int64(offset.rounded()))
      }
      var peaks: [(Double, Double, Float)] = []
      try windows.likeness(at: places) { place, lags in
        let peak = Peak.largest(of: lags, within: reach, signed: false)
        peaks.append((Double(place.position), Double(peak.place), peak.value))
      }
      return peaks
    }
    let peaks = found.flatMap { $0 }
    let weights = peaks.map { max(0.05, min(10, Double(abs($0.2)) - 3.5)) }
    let line = Consensus.line(
      x: peaks.map(\.0), y: peaks.map(\.1), weights: weights, tolerance: Self.tolerance,
      steepest: Self.steepest)
    self.offset = offset.rounded() + line.offset
    slope = line.slope
    let sum = line.agreeing.reduce(0.0) { $0 + weights[$1] * (peaks[$1].2 < 0 ? -1 : 1) }
    polarity = sum < 0 ? -1 : 1
    windows = peaks.count
    agreeing = line.agreeing.count
    rank = line.score * candidate.prominence * candidate.prominence
  }
}
