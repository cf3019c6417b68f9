public import Units

/// "I live, and this is what I hold for true": sent all the time to every peer.
public struct HeartbeatMessage: Hashable, Sendable {
  /// The highest term that the sender knows; it names the coordinator.
  public let term: Term?
  public let session: Session?
  public let activity: Activity
  /// How many hosts the sender hears, itself included.
  public let hostCount: UInt16
  /// How many of those roll, itself included.
  public let rollingCount: UInt16
  /// How long the sender has been coordinator, in seconds; 0 when it is not.
  public let tenureSeconds: UInt32
  /// How often the sender's status board has changed.
  public let statusGeneration: UInt64

  /// Makes a heartbeat.
  public init(
    term: Term?, session: Session?, activity: Activity, hostCount: UInt16, rollingCount: UInt16,
    tenureSeconds: UInt32, statusGeneration: UInt64
  ) {
    self.term = term
    self.session = session
    self.activity = activity
    self.hostCount = hostCount
    self.rollingCount = rollingCount
    self.tenureSeconds = tenureSeconds
    self.statusGeneration = statusGeneration
  }
}
