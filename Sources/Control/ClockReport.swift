public import Units

/// How a host's clock stands to shared time, as `recorder clock --json` gives it.
public struct ClockReport: Hashable, Sendable, Codable {
  public static let schema = "recorder.clock/1"

  public enum Role: String, Hashable, Sendable, Codable {
    /// The host's own clock is the one that the others follow.
    case coordinator
    case follower
    /// Shared time is known, and no coordinator is heard: the bound grows.
    case holdover
    case unsynced
  }

  public var schema = Self.schema
  /// The host that was asked.
  public var peer: PeerID
  public var role: Role
  public var coordinator: PeerID?
  public var coordinatorLabel: String?
  public var session: SessionReport?
  /// The reading of the host's CLOCK_MONOTONIC_RAW for which the figures hold.
  public var hostNs: Int64?
  /// The coordinator's raw clock minus the host's when the host's reads ``hostNs``; in holdover the
  /// last coordinator's.
  public var offsetNs: Int64?
  /// What ``offsetNs`` may be off by in all: ``boundNs``, unless shared time comes from elsewhere.
  public var offsetBoundNs: Int64?
  /// What shared time may be off by in all, the sum of the next two: zero on a coordinator.
  public var boundNs: Int64?
  /// What measuring leaves open, the path's asymmetry apart.
  public var jitterBoundNs: Int64?
  /// What an asymmetric path could hide.
  public var pathLimitNs: Int64?
  /// By how much shared time runs faster than the host's clock.
  public var skewPpm: Double?
  /// Where shared time comes from: `peers` or `system`.
  public var timeSource: String?
  /// On system time: by how much the host's shared time is ahead of the coordinator's.
  public var disagreementNs: Int64?
  /// What both may be off by together.
  public var disagreementBoundNs: Int64?
  /// The worst kind of stamp that the estimate rests on.
  public var stamp: String?
  public var floorRoundTripNs: Int64?
  /// How many exchanges the estimate rests on.
  public var exchanges: Int?
  /// The share of the latest probes that stayed without a reply, 0 to 1.
  public var loss: Double?
  public var lastExchangeSecondsAgo: Double?
  /// By which address the coordinator is reached, and by which of the host's interfaces.
  public var path: String?
  public var interface: String?
  /// How many paths to it are known.
  public var paths: Int?

  /// Makes a report that says no more than its role.
  public init(peer: PeerID, role: Role) {
    self.peer = peer
    self.role = role
  }

  private enum CodingKeys: String, CodingKey {
    case schema
    case peer
    case role
    case coordinator
    case coordinatorLabel = "coordinator_label"
    case session
    case timeSource = "time_source"
    case disagreementNs = "disagreement_ns"
    case disagreementBoundNs = "disagreement_bound_ns"
    case hostNs = "host_ns"
    case offsetNs = "offset_ns"
    case offsetBoundNs = "offset_bound_ns"
    case boundNs = "bound_ns"
    case jitterBoundNs = "jitter_bound_ns"
    case pathLimitNs = "path_limit_ns"
    case skewPpm = "skew_ppm"
    case stamp
    case floorRoundTripNs = "floor_round_trip_ns"
    case exchanges
    case loss
    case path, interface, paths
    case lastExchangeSecondsAgo = "last_exchange_seconds_ago"
  }
}
