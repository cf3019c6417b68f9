internal import FFT

/// Lays sounds of one event onto one timeline by what they have in common, and by nothing else.
///
/// Every two sounds are compared; a pair counts only where chance is ruled out. Sounds that no
/// pair connects fall into groups of their own: they are never placed by force.
public struct SoundAligner: Sendable {
  private let sources: [any SoundSource]
  private let reference: Int
  private let workers: any Workers

  /// How likely chance may explain a pair that counts.
  public static let chanceLimit = 1e-6
  /// Up to so many sounds every two are compared; of more, each with the reference and the next.
  static let allPairsLimit = 6
  /// Pairs that are compared at once at most: each takes some 25 MB.
  private static let abreast = 4

  /// Makes an aligner of `sources`, whose timeline is that of number `reference`.
  public init(sources: [any SoundSource], reference: Int, workers: any Workers) {
    precondition(sources.indices.contains(reference), "the reference is one of the sources")
    self.sources = sources
    self.reference = reference
    self.workers = workers
  }

  /// Compares and places all.
  ///
  /// - Parameter progress: hears what part is done, 0 to 1.
  public func align(
    progress: (Double) -> Void = { _ in }
  ) throws(SoundReadError) -> SoundAlignment {
    let hertz = rate
    let views = sources.map { SoundView($0, hertz: hertz) }
    var made: [BandEnvelope] = []
    let pairs = pairs()
    let all = Double(views.count + pairs.count)
    for view in views {
      made.append(try BandEnvelope(of: view, hertz: hertz, workers: workers))
      progress(Double(made.count) / all)
    }
    let envelopes = made
    let shape = HannWindow.samples(WindowPair.count)
    let plan = BatchFFT.Plan(count: WindowPair.count)
    var found: [PairFinding] = []
    while found.count < pairs.count {
      // What one pair does alone the pieces of others fill.
      let abreast = min(workers.width, Self.abreast)
      let next = pairs[found.count..<min(pairs.count, found.count + abreast)]
      found += try workers.tryMap(next.count) { place throws(SoundReadError) in
        let (one, other) = next[next.startIndex + place]
        let aligner = PairAligner(
          pair: SoundPair(
            one: views[one], other: views[other], hertz: hertz, shape: shape, plan: plan),
          one: envelopes[one], other: envelopes[other], workers: workers)
        return PairFinding(one: one, other: other, comparison: try aligner.compare())
      }
      progress(Double(envelopes.count + found.count) / all)
    }
    return SoundAlignment(
      hertz: hertz, lengths: views.map { Double($0.length) }, reference: reference,
      findings: found)
  }

  /// The rate of comparison: the lowest of all, 48 kHz at most.
  private var rate: Double {
    let lowest = sources.map(\.hertz).min() ?? 48_000
    return lowest > 50_000 ? 48_000 : lowest
  }

  private func pairs() -> [(Int, Int)] {
    let all = sources.indices
    if all.count <= Self.allPairsLimit {
      return all.flatMap { one in all.dropFirst(one + 1).map { (one, $0) } }
    }
    let star = all.filter { $0 != reference }.map { (min($0, reference), max($0, reference)) }
    let chain = all.dropLast().filter { $0 != reference && $0 + 1 != reference }
    return star + chain.map { ($0, $0 + 1) }
  }
}

/// What came of comparing two of the sounds.
public struct PairFinding: Sendable {
  public let one: Int
  public let other: Int
  /// Nothing where no place stood out.
  public let comparison: PairComparison?

  /// Whether chance is ruled out.
  public var isFound: Bool {
    guard let comparison else { return false }
    return comparison.evidence.chance <= SoundAligner.chanceLimit
  }
}
