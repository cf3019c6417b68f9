/// What comparing the sound of two files told.
public struct AlignedPair: Hashable, Sendable, Codable {
  public let one: String
  public let other: String
  /// Whether they have sound in common, beyond chance.
  public let matched: Bool
  /// How far the place stands out among decoys, and the highest decoy, in standard deviations.
  public let sigmas: Double
  public let decoySigmas: Double
  /// The chance that nothing in common looks like this.
  public let chance: Double
  /// How alike the two are over the bins of frequency, 0 to 1.
  public let coherence: Double
  /// By how much the pair is off what all pairs agree on, in seconds.
  public let closureSeconds: Double
  /// Whether one has the other's polarity.
  public let isInverted: Bool

  private enum CodingKeys: String, CodingKey {
    case one
    case other
    case matched
    case sigmas
    case decoySigmas = "decoy_sigmas"
    case chance
    case coherence
    case closureSeconds = "closure_s"
    case isInverted = "inverted"
  }
}

/// What sound says of a file's place.
public struct SoundFinding: Hashable, Sendable, Codable {
  /// How far the place stands out among decoys, in standard deviations.
  public let sigmas: Double
  /// The place's standard deviation by the pairs of files, in seconds.
  public let sigmaSeconds: Double
  public let isInverted: Bool
  /// Where the delay to the reference jumps.
  public let steps: [Step]
  /// By how much sound places the file's middle later than the clock does, in seconds, and how far
  /// sound travels meanwhile, in metres; nothing where sound alone placed it.
  public var differenceSeconds: Double?
  public var differenceMetres: Double?
  /// By how much the rate differs, in parts per million.
  public var differencePPM: Double?

  /// A jump of the delay.
  public struct Step: Hashable, Sendable, Codable {
    /// Where in the file, in seconds.
    public let seconds: Double
    /// By how many samples of the reference.
    public let samples: Double
    /// `lost_in_file`, `lost_in_reference` or `source_moved`.
    public let cause: String
    /// How alike the room answers before and after, −1 to 1, apart from the direct sound: lost
    /// samples leave it as it is.
    public let likeness: Double
  }

  private enum CodingKeys: String, CodingKey {
    case sigmas
    case sigmaSeconds = "sigma_s"
    case isInverted = "inverted"
    case steps
    case differenceSeconds = "difference_s"
    case differenceMetres = "difference_m"
    case differencePPM = "difference_ppm"
  }
}

/// Frames that are silence in the aligned file where the raw one has none, or are left out of it.
public struct AlignedRepair: Hashable, Sendable, Codable {
  /// The file's frame before which they are missing, or with which what is left out begins.
  public let frame: Int64
  /// How many are silence; below 0, how many are left out.
  public let frames: Int64

  /// Makes it of its parts.
  public init(frame: Int64, frames: Int64) {
    self.frame = frame
    self.frames = frames
  }
}
