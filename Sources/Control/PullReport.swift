public import Units

/// How the bringing together of a take's files stands, as `recorder pull --json` gives it.
public struct PullReport: Hashable, Sendable, Codable {
  public static let schema = "recorder.pull/1"

  /// A file on its way.
  public struct File: Hashable, Sendable, Codable {
    public enum State: String, Hashable, Sendable, Codable {
      case waiting
      case pulling
      /// It is here, and both ends agree on its SHA-256.
      case pulled
      /// It was here before, the same.
      case present
      /// The host that recorded it has it no more.
      case missing
      /// Another file of this name is here, and was left as it is.
      case differs
      case failed
    }

    public var peer: PeerID
    public var label: String
    public var name: String
    /// Where it is here, or will be.
    public var path: String
    public var bytes: Int64
    public var done: Int64 = 0
    public var state = State.waiting
    /// What else is to be known, such as why it failed.
    public var note: String?

    /// Makes a file that waits.
    public init(peer: PeerID, label: String, name: String, path: String, bytes: Int64) {
      self.peer = peer
      self.label = label
      self.name = name
      self.path = path
      self.bytes = bytes
    }
  }

  public var schema = Self.schema
  /// The takes' folders here.
  public var folders: [String] = []
  public var files: [File] = []
  /// Hosts that did not answer: what they recorded is not here.
  public var missingHosts: [String] = []
  public var isOver = false
  /// Whether it goes slowly, since a take is rolling somewhere.
  public var isSlow = false

  /// Makes a report of nothing yet.
  public init() {}

  public var bytes: Int64 { files.reduce(0) { $0 + $1.bytes } }
  public var done: Int64 { files.reduce(0) { $0 + $1.done } }

  /// What the command line ends with.
  public var exitCode: ExitCode {
    let well = files.filter { $0.state == .pulled || $0.state == .present }.count
    if well == files.count, missingHosts.isEmpty { return .success }
    return well == 0 ? .failed : .someHosts
  }

  private enum CodingKeys: String, CodingKey {
    case schema, folders, files
    case missingHosts = "missing_hosts"
    case isOver = "over"
    case isSlow = "slow"
  }
}
