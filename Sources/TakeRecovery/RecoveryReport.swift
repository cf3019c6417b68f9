/// What recovering found and did: the schema `recorder.recover/1`.
public struct RecoveryReport: Hashable, Sendable, Encodable {
  /// What became of a sound file.
  public enum Outcome: String, Hashable, Sendable, Encodable {
    /// It was made whole.
    case recovered
    /// It would be made whole, were this not a dry run.
    case recoverable
    /// It was whole already.
    case whole
    /// Somebody is writing it.
    case busy
    /// It holds nothing: the recording was interrupted before its first byte.
    case empty
    /// What an earlier run wrote over was put back.
    case undone
    /// It could not be made whole, or not quite: the reason says why.
    case failed
  }

  /// A sound file.
  public struct File: Hashable, Sendable, Encodable {
    /// The file's path as it is now.
    public internal(set) var path: String
    public internal(set) var outcome: Outcome
    /// Whole frames of audio.
    public internal(set) var frames: UInt64 = 0
    /// The audio's length in seconds.
    public internal(set) var seconds: Double = 0
    /// What was done, or would be.
    public internal(set) var done: [String] = []
    /// What was wrong, and what had to be assumed.
    public internal(set) var assumed: [String] = []
    /// The new file, where this one had to be left as it is.
    public internal(set) var rebuilt: String?
    /// What keeps the bytes that were written over, for `recorder recover --undo`.
    public internal(set) var undo: String?
    /// Why it could not be made whole.
    public internal(set) var reason: String?
  }

  public let schema = "recorder.recover/1"
  public let isDryRun: Bool
  public let files: [File]

  private enum CodingKeys: String, CodingKey {
    case schema
    case isDryRun = "dry_run"
    case files
  }
}
