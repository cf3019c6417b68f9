public import Units

/// What aligning a take found and made.
///
/// As JSON every key carries its unit; `docs/files.md` has them all. Later versions add keys.
public struct AlignmentReport: Hashable, Sendable, Codable {
  /// Names this form of report.
  public var schema = "recorder.align.1"
  /// By what the files were placed: `clock`, `timecode` or `sound`.
  public var method = "clock"
  /// The take and its session, where timing logs tell them.
  public let take: TakeID?
  public let takeName: String
  public let session: SessionID?
  /// The folder of the aligned files; empty where none were rendered.
  public let output: String
  /// The file whose crystal is the measure, or nil where shared time is.
  public let reference: String?
  public let sampleRateHertz: Int
  /// Frames in every aligned file.
  public let frames: Int64
  /// When the aligned files begin, in shared time, where that is known.
  public let startShared: SharedInstant?
  /// TimeReference of the aligned files, in samples, where it is known.
  public let timeReference: UInt64?
  /// What was found of each file, by the raw file's name.
  public internal(set) var files: [String: AlignedFile]
  /// What comparing the sound of each two files told, where it was asked.
  public var pairs: [AlignedPair]?

  private enum CodingKeys: String, CodingKey {
    case schema
    case method
    case take
    case takeName = "take_name"
    case session
    case output
    case reference
    case sampleRateHertz = "sample_rate_hz"
    case frames
    case startShared = "start_shared_ns"
    case timeReference = "time_reference"
    case files
    case pairs
  }

  /// The files' names, in order.
  public var names: [String] { files.keys.sorted() }
}
