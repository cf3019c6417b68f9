public import Recording

/// What has happened on all hosts, as `recorder events --json` gives it event by event.
public struct EventsReport: Hashable, Sendable, Codable {
  /// The most events of one report.
  public static let most = 500

  /// Oldest first.
  public var events: [FleetEvent]
  /// The number of the newest event that the host knows, shown here or not.
  public var newest: UInt64

  /// Makes a report.
  public init(events: [FleetEvent], newest: UInt64) {
    self.events = events
    self.newest = newest
  }
}
