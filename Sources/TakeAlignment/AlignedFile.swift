public import Units

/// What aligning found of one file, and where it put it.
public struct AlignedFile: Hashable, Sendable, Codable {
  /// The raw file's path.
  public let path: String
  /// The aligned file's path; empty where none was rendered.
  public let output: String
  public let label: String
  /// The host, where a timing log tells it.
  public let peer: PeerID?
  /// Frames in the raw file.
  public let frames: Int64
  public let channels: Int
  /// Nominal frames a second of the raw file.
  public let sampleRateHertz: Int
  /// Where the raw file's first frame lies on the timeline, in seconds from its beginning.
  public let offsetSeconds: Double
  /// By how much the file's crystal ran faster than the timeline.
  public let ppm: Double
  /// The map as pairs of seconds: in the raw file at its nominal rate, on the timeline.
  public let map: [[Double]]
  /// 0 to 1. By the clock: 1 where the log is whole and agrees with itself within its bounds. By
  /// sound: that chance does not explain the place.
  public var confidence: Double
  /// Whether the file has a place on the timeline.
  public let matched: Bool
  /// Whether the place can be trusted, in a word.
  public var verdict: Verdict
  /// How far the truth may lie from the map but for the path's asymmetry.
  public let jitterBoundNanoseconds: Int64
  /// What asymmetry of the network's path could hide.
  public let pathLimitNanoseconds: Int64
  /// The standard deviation of the map at the file's first and last frame, where it is known.
  public var sigmaHeadNanoseconds: Int64?
  public var sigmaTailNanoseconds: Int64?
  /// The spread of the log's observations around the map, root mean square and worst.
  public let residualNanoseconds: Int64
  public let worstResidualNanoseconds: Int64
  /// Observations that the map was fitted to.
  public let observations: Int
  /// Stretches of lost frames, which are silence.
  public let gaps: Int
  /// Whether the frames were taken over bit by bit, since there was nothing to correct.
  public let isCopy: Bool
  /// What to look at, in words; empty where all is well.
  public var warnings: [String]
  /// What sound says of the file, where it was asked.
  public var sound: SoundFinding?
  /// The first of its channels in the aligned file, from 1, where others share it.
  public var outputChannel: Int?
  /// Frames that were lost unsaid, found by ear, and are silence in the aligned file.
  public var repairs: [AlignedRepair]?

  /// Whether a file's place can be trusted.
  public enum Verdict: String, Hashable, Sendable, Codable {
    /// It can.
    case good
    /// It can, but for what the warnings say.
    case check
    /// The file has no place, or not the one that it claims.
    case bad
  }

  /// Jitter bound and path limit together, in frames of the timeline.
  public func boundFrames(sampleRate: Int) -> Double {
    Double(jitterBoundNanoseconds + pathLimitNanoseconds) * 1e-9 * Double(sampleRate)
  }

  private enum CodingKeys: String, CodingKey {
    case path
    case output
    case label
    case peer
    case frames
    case channels
    case sampleRateHertz = "sample_rate_hz"
    case offsetSeconds = "offset_s"
    case ppm
    case map
    case confidence
    case matched
    case verdict
    case jitterBoundNanoseconds = "jitter_bound_ns"
    case pathLimitNanoseconds = "path_limit_ns"
    case sigmaHeadNanoseconds = "sigma_head_ns"
    case sigmaTailNanoseconds = "sigma_tail_ns"
    case residualNanoseconds = "residual_ns"
    case worstResidualNanoseconds = "worst_residual_ns"
    case observations
    case gaps
    case isCopy = "copy"
    case warnings
    case sound
    case outputChannel = "output_channel"
    case repairs
  }
}
