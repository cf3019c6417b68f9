public import Units

/// A sound file, or a stretch of one, on an editor's timeline.
public struct EditorClip: Hashable, Sendable {
  /// The file's absolute path.
  public let path: String
  /// What the clip is called, as a rule the file's name without its ending.
  public let name: String
  /// The track that it lies on, as a rule the host's label.
  public internal(set) var track: String
  public let channels: Int
  public let sampleRate: SampleRate
  /// Frames that sound.
  public let frames: FrameCount
  /// The file's frame that sounds first.
  public var mediaStart = FrameCount(0)
  /// Frames in the whole file.
  public var mediaFrames: FrameCount
  /// When its first sample sounds, in seconds after the project's start, 0 or more.
  public let start: Double
  /// Seconds of the file in a second of the timeline: 1.000012 where its crystal was 12 ppm fast.
  public let playRate: Double
  /// The file's own timecode: samples since 00:00:00:00 at its sample rate.
  public let timeReference: UInt64
  public var scene = ""
  public var take = ""
  public var note = ""

  /// Makes a clip; `channels` and `playRate` must be positive, and `start` not negative.
  public init(
    path: String, name: String, track: String, channels: Int, sampleRate: SampleRate,
    frames: FrameCount, start: Double, playRate: Double = 1, timeReference: UInt64
  ) {
    precondition(channels > 0 && playRate > 0 && start >= 0, "a clip sounds, after the start")
    self.path = path
    self.name = name
    self.track = track
    self.channels = channels
    self.sampleRate = sampleRate
    self.frames = frames
    mediaFrames = frames
    self.start = start
    self.playRate = playRate
    self.timeReference = timeReference
  }

  /// The first sounding frame's timecode: samples since 00:00:00:00 at the file's sample rate.
  var startReference: UInt64 { timeReference + UInt64(max(0, mediaStart.value)) }

  /// How long it sounds on the timeline, in seconds.
  public var length: Double {
    Double(frames.value) / Double(sampleRate.hertz) / playRate
  }
}
