/// Finds how one sound lies in another: coarsely by envelopes over all places there are, then by
/// phase.
struct PairAligner: Sendable {
  let pair: SoundPair
  let one: BandEnvelope
  let other: BandEnvelope
  let workers: any Workers

  /// Frames of the envelope that are searched for at once, at most: five minutes. Over longer
  /// stretches two crystals blur the correlation.
  private static let segmentFrames = 60_000
  private static let candidates = 6

  /// The comparison, or nothing where no place stands out at all.
  func compare() throws(SoundReadError) -> PairComparison? {
    var best: CandidateCheck?
    for segment in segments() {
      guard let found = try search(segment) else { continue }
      if found.rank > (best?.rank ?? 0) { best = found }
      if Double(found.agreeing) >= 0.5 * Double(found.windows), found.windows >= 4 { break }
    }
    guard let best else { return nil }
    return try PairRefiner(pair: pair, start: best, workers: workers) {
      range throws(SoundReadError) in
      let hop = Int64(BandEnvelope.hop)
      let frames = Int(range.lowerBound / hop)..<min(other.frames, Int(range.upperBound / hop))
      return frames.count > EnvelopeSearch.leastOverlap ? try search(frames) : nil
    }.refine()
  }

  /// Stretches of the other to look for, the middle first.
  private func segments() -> [Range<Int>] {
    let count = (other.frames + Self.segmentFrames - 1) / Self.segmentFrames
    let all = (0..<count).map { place in
      other.frames * place / count..<other.frames * (place + 1) / count
    }
    let middle = count / 2
    return all.indices.sorted { abs($0 - middle) < abs($1 - middle) }.map { all[$0] }
  }

  private func search(_ segment: Range<Int>) throws(SoundReadError) -> CandidateCheck? {
    let candidates = EnvelopeSearch.candidates(
      for: other, in: segment, within: one, limit: Self.candidates, workers: workers)
    let hop = Int64(BandEnvelope.hop)
    let samples =
      Int64(segment.lowerBound) * hop..<Int64(segment.upperBound) * hop
      + Int64(BandEnvelope.window)
    var best: CandidateCheck?
    for (place, candidate) in candidates.enumerated() {
      let check = try CandidateCheck(
        candidate, from: samples.lowerBound, in: samples, of: pair,
        lively: LivelyWindows(of: other), workers: workers)
      if check.rank > (best?.rank ?? 0) { best = check }
      if place == 0, Double(check.agreeing) > 0.7 * Double(check.windows), check.windows >= 8,
        candidates.count > 1, candidates[1].prominence < 0.6 * candidate.prominence
      {
        break
      }
    }
    return best
  }
}
