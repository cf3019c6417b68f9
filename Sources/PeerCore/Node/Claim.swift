/// What a peer's last heartbeat said about who keeps the time.
public struct Claim: Hashable, Sendable {
  /// The term that the peer obeys, or its own.
  public let term: Term?
  /// Whether the peer hears the coordinator of that term itself.
  public let hearsCoordinator: Bool
  /// How well the peer knows shared time, which it would carry on.
  public let grade: TimeGrade
  public let activity: Activity
  public let hostCount: UInt16
  public let rollingCount: UInt16
  public let tenureSeconds: UInt32

  /// Makes a claim.
  public init(
    term: Term?, hearsCoordinator: Bool, grade: TimeGrade, activity: Activity, hostCount: UInt16,
    rollingCount: UInt16, tenureSeconds: UInt32
  ) {
    self.term = term
    self.hearsCoordinator = hearsCoordinator
    self.grade = grade
    self.activity = activity
    self.hostCount = hostCount
    self.rollingCount = rollingCount
    self.tenureSeconds = tenureSeconds
  }

  /// Makes a claim of what a heartbeat says.
  public init(_ message: HeartbeatMessage) {
    self.init(
      term: message.term, hearsCoordinator: message.hearsCoordinator,
      grade: message.grade, activity: message.activity,
      hostCount: message.hostCount, rollingCount: message.rollingCount,
      tenureSeconds: message.tenureSeconds)
  }
}
