package import AcousticScene

/// What was measured of one host.
package struct HostFigures: Hashable, Sendable, Codable {
  package var label: String
  /// What the host itself says: its offset and its bound, at worst, while the take rolled.
  package var saidOffsetNs: Int64
  package var saidBoundNs: Int64
  /// How far its shared time truly was off, at worst.
  package var syncErrorNs: Int64?
  /// Where its first sample lies against T0, in samples of true time.
  package var firstSampleSamples: Double?
  package var rawFrames: Int
  /// What its crystal counted from T0 to T1.
  package var trueFrames: Double
  /// The card's rate against the host's clock, as it said and as it is.
  package var cardPpm: Double?
  package var trueCardPpm: Double
  /// The card's rate against shared time, as the alignment found and as it is.
  package var sharedPpm: Double?
  package var trueSharedPpm: Double
  package var alignedFrames: Int
  /// The aligned sound against the scene, second by second.
  package var residuals: [Residual]

  /// Makes figures of their parts.
  package init(
    label: String, saidOffsetNs: Int64, saidBoundNs: Int64, syncErrorNs: Int64?,
    firstSampleSamples: Double?, rawFrames: Int, trueFrames: Double, cardPpm: Double?,
    trueCardPpm: Double, sharedPpm: Double?, trueSharedPpm: Double, alignedFrames: Int,
    residuals: [Residual]
  ) {
    self.label = label
    self.saidOffsetNs = saidOffsetNs
    self.saidBoundNs = saidBoundNs
    self.syncErrorNs = syncErrorNs
    self.firstSampleSamples = firstSampleSamples
    self.rawFrames = rawFrames
    self.trueFrames = trueFrames
    self.cardPpm = cardPpm
    self.trueCardPpm = trueCardPpm
    self.sharedPpm = sharedPpm
    self.trueSharedPpm = trueSharedPpm
    self.alignedFrames = alignedFrames
    self.residuals = residuals
  }

  private enum CodingKeys: String, CodingKey {
    case label
    case saidOffsetNs = "said_offset_ns"
    case saidBoundNs = "said_bound_ns"
    case syncErrorNs = "sync_error_ns"
    case firstSampleSamples = "first_sample_samples"
    case rawFrames = "raw_frames"
    case trueFrames = "true_frames"
    case cardPpm = "card_ppm"
    case trueCardPpm = "true_card_ppm"
    case sharedPpm = "shared_ppm"
    case trueSharedPpm = "true_shared_ppm"
    case alignedFrames = "aligned_frames"
    case residuals
  }
}

/// How two hosts' aligned sound lies to each other.
package struct PairFigures: Hashable, Sendable, Codable {
  package var first: String
  package var second: String
  /// How much later the first is, second by second, in samples; nothing where it is unknown.
  package var residualSamples: [Double?]

  private enum CodingKeys: String, CodingKey {
    case first
    case second
    case residualSamples = "residual_samples"
  }
}

/// Everything that was measured of a take, and how it stands to the budgets.
package struct Figures: Hashable, Sendable, Codable {
  /// The host that was elected.
  package var coordinator: String
  package var settledSeconds: Double
  /// From the first first sample to the last, in samples of true time.
  package var firstSampleSpreadSamples: Double?
  package var hosts: [HostFigures]
  package var pairs: [PairFigures]
  package var verdicts: [Verdict]

  /// Makes figures of their parts.
  package init(
    coordinator: String, settledSeconds: Double, firstSampleSpreadSamples: Double?,
    hosts: [HostFigures], pairs: [PairFigures], verdicts: [Verdict]
  ) {
    self.coordinator = coordinator
    self.settledSeconds = settledSeconds
    self.firstSampleSpreadSamples = firstSampleSpreadSamples
    self.hosts = hosts
    self.pairs = pairs
    self.verdicts = verdicts
  }

  /// Whether every figure is within its budget.
  package var isWithinBudget: Bool { verdicts.allSatisfy(\.isWithin) }

  private enum CodingKeys: String, CodingKey {
    case coordinator
    case settledSeconds = "settled_s"
    case firstSampleSpreadSamples = "first_sample_spread_samples"
    case hosts
    case pairs
    case verdicts
  }
}
