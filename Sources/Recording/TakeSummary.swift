public import Units

/// What a host says of its part of a take: the content of `take.json`.
public struct TakeSummary: Hashable, Sendable, Encodable {
  public let schema = "recorder.take.1"
  public let take: TakePlan
  public let t0: SharedInstant
  public let t1: SharedInstant
  /// Names of the sound files, without a folder.
  public let files: [String]
  /// Names of their timing logs.
  public let timingLogs: [String]
  public let frames: Int64
  public let gaps: Int
  /// Whether the files reach from T0 to T1.
  public let isComplete: Bool
  /// Where the last frame lay in shared time, with its bounds.
  public let last: TimingLogClock?

  /// Makes a summary of its parts.
  public init(
    take: TakePlan, t0: SharedInstant, t1: SharedInstant, files: [String], timingLogs: [String],
    frames: Int64, gaps: Int, isComplete: Bool, last: TimingLogClock?
  ) {
    self.take = take
    self.t0 = t0
    self.t1 = t1
    self.files = files
    self.timingLogs = timingLogs
    self.frames = frames
    self.gaps = gaps
    self.isComplete = isComplete
    self.last = last
  }

  private enum CodingKeys: String, CodingKey {
    case schema
    case take
    case t0 = "t0_shared_ns"
    case t1 = "t1_shared_ns"
    case files
    case timingLogs = "timing_logs"
    case frames
    case gaps
    case isComplete = "complete"
    case last
  }
}
