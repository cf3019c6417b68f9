public import Units

/// How well a host knows shared time, and from what.
public struct SyncStatus: Hashable, Sendable {
  public let coordinator: PeerID?
  public let isCoordinator: Bool
  /// The map with its bounds; nothing while the host is unsynced.
  public let map: ClockMap?
  /// The coordinator's clock against this host's; nothing before it is known.
  public let offset: OffsetReading?
  /// By how much the coordinator's clock runs faster.
  public let skew: ClockRate?
  public let floorRoundTripNanoseconds: Int64?
  /// The worst kind of stamp that the estimate rests on.
  public let stampKind: StampKind?
  public let lastExchange: HostInstant?
  public let exchangeCount: Int
  /// The share of the latest probes to the coordinator that stayed without a reply, 0 to 1.
  public let loss: Double?
  /// Whether shared time comes from this host's own disciplined wall clock.
  public let isOnSystemTime: Bool
  /// There: by how much this host's shared time is ahead of the coordinator's, in nanoseconds;
  /// nothing while there is nobody to compare with.
  public let disagreementNanoseconds: Int64?
  /// What both may be off by together, in nanoseconds.
  public let disagreementBoundNanoseconds: Int64?
}
