public import Units

/// How well a clock is doing, in figures with units.
public struct ClockDiagnostics: Hashable, Sendable, Codable {
  public var peer: PeerID?
  public var coordinator: PeerID?
  public var session: SessionID?
  /// Whether this host's own clock is the one that the others follow.
  public var isCoordinator = false
  /// The reading of this host's clock for which the figures hold.
  public var hostNanoseconds: Int64?
  /// The coordinator's clock minus this host's when this host's reads ``hostNanoseconds``.
  public var offsetNanoseconds: Int64?
  /// What that may be off by in all: the map's bound where the map is made of it.
  public var offsetBoundNanoseconds: Int64?
  /// The jitter bound of the map at the time of asking.
  public var jitterBoundNanoseconds: Int64?
  /// What an asymmetric path could hide.
  public var pathLimitNanoseconds: Int64?
  /// By how much shared time runs faster than this host's clock.
  public var skewPartsPerMillion: Double?
  /// Whether shared time comes from this host's own disciplined wall clock.
  public var isOnSystemTime = false
  /// There: by how much this host's shared time is ahead of the coordinator's.
  public var disagreementNanoseconds: Int64?
  /// What both may be off by together.
  public var disagreementBoundNanoseconds: Int64?
  /// The worst kind of stamp among those in use, in a word.
  public var stamp: String?
  public var floorRoundTripNanoseconds: Int64?
  /// When the newest exchange ended, by this host's clock.
  public var lastExchangeNanoseconds: Int64?
  /// How many exchanges the estimate rests on.
  public var exchanges: Int?
  /// The share of the latest probes that stayed without a reply, 0 to 1.
  public var loss: Double?
  /// By which address the coordinator is reached, and by which of this host's interfaces.
  public var path: String?
  public var interface: String?
  /// How many paths to it are known.
  public var paths: Int?
  /// Refused datagrams and frames by reason, those of links included.
  public var refusals: [String: UInt64] = [:]
  /// How many of them were of this group, but of another passphrase or forged, by address.
  public var wrongKeyByAddress: [String: UInt64] = [:]
  /// Peers that are heard, but without a reliable link.
  public var unlinked: [PeerID] = []
  /// Whether any peer is heard by multicast; nothing where none is heard at all.
  public var isMulticastHeard: Bool?
  /// Events that consumers lost since they did not keep up.
  public var droppedEvents: UInt64 = 0

  /// Makes the figures of a clock that does not run.
  public init() {}

  enum CodingKeys: String, CodingKey {
    case peer, coordinator, session, stamp, exchanges, loss, path, interface, paths, refusals
    case isOnSystemTime = "is_on_system_time"
    case disagreementNanoseconds = "disagreement_ns"
    case disagreementBoundNanoseconds = "disagreement_bound_ns"
    case isCoordinator = "is_coordinator"
    case hostNanoseconds = "host_ns"
    case offsetNanoseconds = "offset_ns"
    case offsetBoundNanoseconds = "offset_bound_ns"
    case jitterBoundNanoseconds = "jitter_bound_ns"
    case pathLimitNanoseconds = "path_limit_ns"
    case skewPartsPerMillion = "skew_ppm"
    case floorRoundTripNanoseconds = "floor_round_trip_ns"
    case lastExchangeNanoseconds = "last_exchange_ns"
    case wrongKeyByAddress = "wrong_key_by_address"
    case droppedEvents = "dropped_events"
    case unlinked
    case isMulticastHeard = "multicast_heard"
  }
}
