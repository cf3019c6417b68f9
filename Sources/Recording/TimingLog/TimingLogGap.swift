/// Frames that were lost, silence of their length in the file.
public struct TimingLogGap: Hashable, Sendable, Codable {
  /// The first lost frame, counted from the file's first.
  public let frame: Int64
  /// How many were lost.
  public let frames: Int64
  /// Such as `overrun`, `unplugged` or `ring`.
  public let cause: String
  /// By how many the count may be off; 0 where the driver told it.
  public let boundFrames: Int64

  /// Makes an entry of its parts.
  public init(
    frame: Int64, frames: Int64, cause: String, boundFrames: Int64
  ) {
    self.frame = frame
    self.frames = frames
    self.cause = cause
    self.boundFrames = boundFrames
  }

  private enum CodingKeys: String, CodingKey {
    case frame
    case frames
    case cause
    case boundFrames = "bound_frames"
  }
}
