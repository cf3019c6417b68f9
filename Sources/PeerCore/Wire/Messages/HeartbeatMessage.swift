public import Units

/// "I live, and this is what I hold for true": sent all the time to every peer.
public struct HeartbeatMessage: Hashable, Sendable {
  /// The most takes: with names of 256 bytes they still fit a datagram.
  public static let mostTakes = 3

  /// The term that the sender obeys, or its own; it names the coordinator.
  public let term: Term?
  /// Whether the sender is that coordinator or hears it itself: as long as anybody does, it lives.
  public let hearsCoordinator: Bool
  public let session: Session?
  /// How well the sender knows the time of that session.
  public let grade: TimeGrade
  public let activity: Activity
  /// How many hosts the sender knows to obey the same term, itself included.
  public let hostCount: UInt16
  /// How many of those roll, itself included.
  public let rollingCount: UInt16
  /// How long the sender has been coordinator, in seconds; 0 when it is not.
  public let tenureSeconds: UInt32
  /// How often the sender's status board has changed.
  public let statusGeneration: UInt64
  /// The takes that are under way, and some that ended.
  public let takes: [TakeState]

  /// Makes a heartbeat.
  public init(
    term: Term?, hearsCoordinator: Bool, session: Session?, grade: TimeGrade, activity: Activity,
    hostCount: UInt16,
    rollingCount: UInt16, tenureSeconds: UInt32, statusGeneration: UInt64, takes: [TakeState] = []
  ) {
    self.term = term
    self.hearsCoordinator = hearsCoordinator
    self.session = session
    self.grade = grade
    self.activity = activity
    self.hostCount = hostCount
    self.rollingCount = rollingCount
    self.tenureSeconds = tenureSeconds
    self.statusGeneration = statusGeneration
    self.takes = Array(takes.prefix(Self.mostTakes))
  }
}
