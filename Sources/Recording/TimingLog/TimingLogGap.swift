public import Units

/// Frames that were lost, silence of their length in the file.
public struct TimingLogGap: Hashable, Sendable, Codable {
  /// The first lost frame, counted from the file's first.
  public let frame: Int64
  /// How many were lost.
  public let frames: Int64
  /// One of the words of ``StreamGap/Cause``.
  public let cause: String
  /// By how many the count may be off; 0 where the driver told it.
  public let boundFrames: Int64
  /// The frames between which the loss lies, where it was found only afterwards: between them
  /// sound stands too early by up to `frames`. Else absent, and the loss is where the silence is.
  public let lostFrom: Int64?
  public let lostTo: Int64?

  /// Makes an entry of its parts.
  public init(
    frame: Int64, frames: Int64, cause: String, boundFrames: Int64, lostFrom: Int64? = nil,
    lostTo: Int64? = nil
  ) {
    self.lostFrom = lostFrom
    self.lostTo = lostTo
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
    case lostFrom = "lost_from_frame"
    case lostTo = "lost_to_frame"
  }
}

extension TimingLogGap {
  /// Takes down `gap` for a file that begins with frame `first` of the stream.
  public init(_ gap: StreamGap, from first: SampleIndex) {
    self.init(
      frame: gap.index - first.value, frames: gap.frames, cause: gap.cause.word,
      boundFrames: gap.boundFrames,
      lostFrom: gap.isFoundLate ? max(0, gap.lostFrom - first.value) : nil,
      lostTo: gap.isFoundLate ? max(0, gap.lostTo - first.value) : nil)
  }
}
