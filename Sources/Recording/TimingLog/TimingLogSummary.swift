public import Units

/// How a file ended.
public struct TimingLogSummary: Hashable, Sendable, Codable {
  /// Frames in the file.
  public let frames: Int64
  /// When the take ends, in shared time.
  public let t1: SharedInstant
  /// When the last frame was taken, as known when the file was closed.
  public let lastShared: SharedInstant
  /// How many gaps there were.
  public let gaps: Int
  /// Whether the file reaches from T0 to T1.
  public let isComplete: Bool
  /// The sound file's SHA-256 in hexadecimal, where it was computed.
  public let sha256: String?
  /// True where the recording was interrupted and this line was written afterwards; else absent.
  public let isRecovered: Bool?

  /// Makes an entry of its parts.
  public init(
    frames: Int64, t1: SharedInstant, lastShared: SharedInstant, gaps: Int, isComplete: Bool,
    sha256: String? = nil, isRecovered: Bool? = nil
  ) {
    self.frames = frames
    self.t1 = t1
    self.lastShared = lastShared
    self.gaps = gaps
    self.isComplete = isComplete
    self.sha256 = sha256
    self.isRecovered = isRecovered
  }

  private enum CodingKeys: String, CodingKey {
    case frames
    case t1 = "t1_shared_ns"
    case lastShared = "last_shared_ns"
    case gaps
    case isComplete = "complete"
    case sha256
    case isRecovered = "recovered"
  }
}
