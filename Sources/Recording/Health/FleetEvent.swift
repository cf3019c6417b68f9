public import Units

/// Something that happened on a host, as every host's event log keeps it.
public struct FleetEvent: Hashable, Sendable, Codable {
  public static let schema = "recorder.event/1"

  /// What became of the alert.
  public enum Phase: String, Hashable, Sendable, Codable {
    /// It holds from now on.
    case raised
    /// It is another severity now.
    case changed
    /// It is over.
    case cleared
    /// It happened, and that is all.
    case noted
  }

  public private(set) var schema = Self.schema
  /// The place in the log of the host that was asked; 0 before it has one.
  public var number: UInt64 = 0
  public var phase: Phase
  public var alert: Alert
  /// The host that says so.
  public var peer: PeerID
  public var label: String
  /// When, by the session's civil time, in nanoseconds since 1970-01-01T00:00:00 UTC.
  public var unixNs: Int64
  /// The take that was armed or rolling there, such as `12A T3`.
  public var take: String?

  /// Makes an event.
  public init(
    _ phase: Phase, _ alert: Alert, peer: PeerID, label: String, unixNs: Int64, take: String? = nil
  ) {
    self.phase = phase
    self.alert = alert
    self.peer = peer
    self.label = label
    self.unixNs = unixNs
    self.take = take
  }

  private enum CodingKeys: String, CodingKey {
    case schema, number, phase, alert, peer, label, take
    case unixNs = "unix_ns"
  }
}
