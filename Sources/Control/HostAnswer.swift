public import Recording
public import Units

/// What one host did about an order.
public struct HostAnswer: Hashable, Sendable, Codable {
  public enum Outcome: String, Hashable, Sendable, Codable {
    case done
    case refused
    /// The host did not answer in time.
    case missing
    /// The host has no card, so that there was nothing for it to do.
    case noInput = "no_input"
    /// The host has no part in what was asked for, such as a take that it did not record.
    case noPart = "no_part"
  }

  public var peer: PeerID
  public var label: String
  public var outcome: Outcome
  /// Why it refused, with what to do.
  public var reason: String?
  /// Whether it refused because the order has no place in its state.
  public var isWrongState = false
  /// Its state afterwards, as in a ``HostReport``.
  public var state: String
  public var input: HostReport.Input?
  /// How far back a take may begin, in nanoseconds, and the memory in bytes that this takes, once it
  /// is armed.
  public var preRollNs: Int64?
  public var ringBytes: Int64?
  /// By how much T0 or T1 had passed when it was told, in nanoseconds.
  public var lateNs: Int64?
  /// Whether its ring made up for that.
  public var isCovered: Bool?
  public var firstSample: HostReport.FirstSample?
  public var recordedFrames: Int64?
  public var gaps: Int?
  /// By how much its file begins after T0; nothing where it begins there.
  public var headMissingNs: Int64?
  /// How far its file goes on beyond T1: the stop was heard late.
  public var tailExcessNs: Int64?
  /// What was begun at the same moment by somebody else and came first, such as `3 “Intro”`.
  public var otherTake: String?
  /// The folder of the take on that host.
  public var folder: String?

  /// What people are to know although it was done.
  public var note: String?
  /// How many files it writes of each segment.
  public var filesASegment: Int?
  /// How many files it wrote of the take that was stopped, and how many they say there are on all
  /// hosts.
  public var takeFiles: Int?
  public var totalFiles: Int?
  /// Its takes, and how many more there are.
  public var takes: [HostTake]?
  public var takesLeft: Int?
  /// The files of a take, how many pages of them follow, and the digest of one.
  public var files: [TakeFile]?
  public var filesLeft: Int?
  public var digest: String?

  /// Makes an answer that says no more than its outcome.
  public init(peer: PeerID, label: String, outcome: Outcome, state: String) {
    self.peer = peer
    self.label = label
    self.outcome = outcome
    self.state = state
  }

  private enum CodingKeys: String, CodingKey {
    case peer
    case label
    case outcome
    case reason
    case isWrongState = "wrong_state"
    case state
    case input
    case preRollNs = "pre_roll_ns"
    case ringBytes = "ring_bytes"
    case lateNs = "late_ns"
    case isCovered = "covered"
    case firstSample = "first_sample"
    case recordedFrames = "recorded_frames"
    case gaps
    case headMissingNs = "head_missing_ns"
    case tailExcessNs = "tail_excess_ns"
    case otherTake = "other_take"
    case folder, note, takes
    case filesASegment = "files_a_segment"
    case takeFiles = "take_files"
    case totalFiles = "total_files"
    case takesLeft = "takes_left"
    case files, digest
    case filesLeft = "file_pages_left"
  }
}
