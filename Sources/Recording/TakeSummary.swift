public import Units

/// What a host says of its part of a take: the content of `take.json`.
public struct TakeSummary: Hashable, Sendable, Codable {
  /// How good the host's part of the take is.
  public enum Verdict: String, Hashable, Sendable, Codable {
    /// From T0 to T1, and nothing was lost.
    case whole
    /// From T0 to T1, with silence where frames were lost.
    case flawed
    /// Not from T0 to T1.
    case partial
  }

  /// One sound file.
  public struct File: Hashable, Sendable, Codable {
    /// Without a folder.
    public var name: String
    public var segment: Int
    /// The recorder's channel, from 1, where each has a file of its own.
    public var track: Int?
    /// The take's frame on this host that the file begins with.
    public var firstFrame: Int64
    public var frames: Int64
    public var bytes: Int64?
    /// SHA-256 of the whole file in hexadecimal; nothing while it is not computed.
    public var sha256: String?

    /// Makes a file without size and digest.
    public init(name: String, segment: Int, track: Int?, firstFrame: Int64, frames: Int64) {
      self.name = name
      self.segment = segment
      self.track = track
      self.firstFrame = firstFrame
      self.frames = frames
    }

    private enum CodingKeys: String, CodingKey {
      case name, segment, track, frames, bytes, sha256
      case firstFrame = "first_frame"
    }
  }

  public private(set) var schema = "recorder.take.1"
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
  /// Nothing in files of earlier versions, and after an interruption, here and below.
  public var verdict: Verdict?
  /// Why the verdict is none better, in sentences.
  public var reasons: [String]?
  public var peer: PeerID?
  public var label: String?
  public var session: SessionID?
  /// The civil time of T0: nanoseconds since 1970-01-01T00:00:00 UTC.
  public var t0UnixNanoseconds: Int64?
  /// The session's offset from UTC, in seconds east.
  public var utcOffsetSeconds: Int32?
  public var sampleRateHertz: Int?
  public var bits: Int?
  public var channels: Int?
  /// TimeReference of the take's first file, and the label of that timecode frame.
  public var timeReference: UInt64?
  public var timecode: String?
  public var fileDetails: [File]?
  /// How many files the take has on all hosts, as its files say.
  public var totalFiles: Int?
  public var remarks: TakeRemarks?
  /// The take's markers, by its frames on this host.
  public var markers: [TimingLogMarker]?
  public var certificate: SyncCertificate?

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
    case verdict, reasons, peer, label, session
    case t0UnixNanoseconds = "t0_unix_ns"
    case utcOffsetSeconds = "utc_offset_s"
    case sampleRateHertz = "sample_rate_hz"
    case bits, channels
    case timeReference = "time_reference"
    case timecode
    case fileDetails = "file_details"
    case totalFiles = "total_files"
    case remarks, markers
    case certificate = "sync_certificate"
  }
}
