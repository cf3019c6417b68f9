public import Units

/// What a sound file is, and where it lies in shared time.
public struct TimingLogHeader: Hashable, Sendable, Codable {
  /// The log's version, ``TimingLogEntry/version``.
  public let version: Int
  /// What wrote the log, such as `recorder 0.1.0`.
  public let software: String
  /// Which take.
  public let take: TakeID
  /// The take's name, such as `scene-T001`.
  public let takeName: String
  /// The timeline, and its place in civil time.
  public let session: TimingLogSession
  /// Which host.
  public let peer: PeerID
  /// What the host is called.
  public let label: String
  /// Which boot of the host: host time means nothing in another.
  public let bootID: String
  /// The sound file's name, without a folder.
  public let file: String
  /// The card's nominal rate.
  public let sampleRateHertz: Int
  /// Samples in a frame.
  public let channels: Int
  /// The width of a sample in the file.
  public let bits: Int
  /// When the take begins, in shared time.
  public let t0: SharedInstant
  /// When the file's first frame was taken, as known when the file was opened.
  public let firstShared: SharedInstant
  /// The bext chunk's TimeReference.
  public let timeReference: UInt64
  /// The timecode's frame rate with its flag, such as `25/1 NDF`; 25 where it is not told.
  public let frameRate: String?
  /// What the log is, in words, for whoever finds it without the documents.
  public var about: String?
  /// The take's number in its session.
  public var takeNumber: Int?
  /// How the session counts timecode, such as `29.97DF offset=-01:00:00;00`.
  public var timecode: String?
  /// Which segment of a split recording, from 1.
  public var segment: Int?
  /// The take's frame on this host that the file begins with.
  public var firstFrame: Int64?
  /// The recorder's channel, where each has a file of its own.
  public var track: Int?

  /// What ``about`` says.
  public static let words =
    "recorder timing log, JSON lines: when the frames of 'file' were taken. 'frame' counts from "
    + "the file's first; host_ns is the host's CLOCK_MONOTONIC_RAW, shared_ns the session's time, "
    + "both in ns; each type is described in docs/files.md"

  /// Makes an entry of its parts.
  public init(
    version: Int, software: String, take: TakeID, takeName: String, session: TimingLogSession,
    peer: PeerID, label: String, bootID: String, file: String, sampleRateHertz: Int, channels: Int,
    bits: Int, t0: SharedInstant, firstShared: SharedInstant, timeReference: UInt64,
    frameRate: String? = nil
  ) {
    self.version = version
    self.software = software
    self.take = take
    self.takeName = takeName
    self.session = session
    self.peer = peer
    self.label = label
    self.bootID = bootID
    self.file = file
    self.sampleRateHertz = sampleRateHertz
    self.channels = channels
    self.bits = bits
    self.t0 = t0
    self.firstShared = firstShared
    self.timeReference = timeReference
    self.frameRate = frameRate
  }

  private enum CodingKeys: String, CodingKey {
    case version
    case software
    case take
    case takeName = "take_name"
    case session
    case peer
    case label
    case bootID = "boot_id"
    case file
    case sampleRateHertz = "sample_rate_hz"
    case channels
    case bits
    case t0 = "t0_shared_ns"
    case firstShared = "first_shared_ns"
    case timeReference = "time_reference"
    case frameRate = "frame_rate"
    case about
    case takeNumber = "take_number"
    case timecode
    case segment
    case firstFrame = "first_frame"
    case track
  }
}
