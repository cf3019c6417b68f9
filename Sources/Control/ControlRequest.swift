/// What a command line asks of a daemon: one line of JSON on the control socket.
public struct ControlRequest: Hashable, Sendable, Codable {
  /// The longest request, in bytes.
  public static let longestBytes = 65_536
  /// The most hosts that a request may name.
  public static let mostHosts = 256

  /// What is to be done.
  public enum Verb: String, Hashable, Sendable, Codable {
    case arm
    case start
    case stop
    case disarm
    case status
    /// How this host alone stands to shared time.
    case clock
    /// Go on in a new session, on all hosts.
    case renewSession = "renew_session"
    /// Write on the slate: what is recorded from now on.
    case scene
    /// Mark an instant in the take that rolls.
    case mark
    /// Say something of a take.
    case note
    /// Call a take one of the good ones, or not.
    case circle
    /// List the session's takes.
    case takes
    /// What has happened on all hosts.
    case events
    /// Call this host otherwise.
    case name
    /// Know a host that is not heard any more no longer.
    case forget
    /// Bring a take's files together here, and how that stands.
    case pull
    case pullProgress = "pull_progress"

    /// The verb in the words of what is going on, such as "arming".
    public var ongoing: String {
      switch self {
      case .arm: "arming"
      case .start: "starting"
      case .stop: "stopping"
      case .disarm: "disarming"
      case .renewSession: "beginning a session"
      case .scene: "telling the scene"
      case .mark: "marking"
      case .note, .circle: "telling of the take"
      case .name: "renaming"
      case .forget: "forgetting"
      case .pull, .pullProgress: "pulling"
      case .status, .clock, .takes, .events: "asking"
      }
    }
  }

  public var verb: Verb
  /// The hosts that are meant, by label or by the beginning of their id; none: all.
  public var hosts: [String]
  /// What the take is called.
  public var takeName: String?
  /// How long after now the take begins, in nanoseconds.
  public var leadNs: Int64?
  /// When the take begins, in nanoseconds since 1970-01-01T00:00:00 UTC.
  public var atUnixNs: Int64?

  /// What the recording is for, and the roll or card.
  public var project: String?
  public var tape: String?
  /// A marker's name, or a note.
  public var text: String?
  /// Which take is meant, by its label such as `7` or `7b`; nothing: the one that rolls, else the
  /// last.
  public var takeLabel: String?
  /// Whether the take is circled.
  public var isCircled: Bool?
  /// Events behind this number are wanted, and so many of the newest at most.
  public var afterEvent: UInt64?
  public var mostEvents: Int?
  /// Where files are brought together, as a whole path; nothing: where takes go here.
  public var destination: String?
  /// Which hosts must take part, else nobody does.
  public var requirement: HostRequirement?

  /// Makes a request.
  public init(
    _ verb: Verb, hosts: [String] = [], takeName: String? = nil, leadNs: Int64? = nil,
    atUnixNs: Int64? = nil
  ) {
    self.verb = verb
    self.hosts = hosts
    self.takeName = takeName
    self.leadNs = leadNs
    self.atUnixNs = atUnixNs
  }

  private enum CodingKeys: String, CodingKey {
    case verb
    case hosts
    case takeName = "take_name"
    case leadNs = "lead_ns"
    case atUnixNs = "at_unix_ns"
    case project, tape, text
    case takeLabel = "take_label"
    case isCircled = "circled"
    case afterEvent = "after_event"
    case mostEvents = "most_events"
    case requirement = "require"
    case destination
  }
}
