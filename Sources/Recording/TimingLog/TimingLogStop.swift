public import Units

/// The card's stream stopped and began anew, and no frame was lost by it.
///
/// Where frames were lost there is a ``TimingLogGap`` instead.
public struct TimingLogStop: Hashable, Sendable, Codable {
  /// The frame that the new stream begins with.
  public let frame: Int64
  /// Why, as in ``TimingLogGap/cause``.
  public let cause: String
  /// By how many frames more or fewer may have passed between.
  public let boundFrames: Int64

  /// Makes an entry of its parts.
  public init(frame: Int64, cause: String, boundFrames: Int64) {
    self.frame = frame
    self.cause = cause
    self.boundFrames = boundFrames
  }

  /// `stop` as seen from the file's first frame, `first` in the stream.
  public init(_ stop: StreamGap, from first: SampleIndex) {
    self.init(
      frame: stop.index - first.value, cause: stop.cause.word, boundFrames: stop.boundFrames)
  }

  private enum CodingKeys: String, CodingKey {
    case frame, cause
    case boundFrames = "bound_frames"
  }
}
