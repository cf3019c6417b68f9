internal import PeerCore
internal import Units

/// What a peer keeps from one run to the next, as `peerclock.json` holds it.
///
/// Schema version 1. A field that a later version adds is optional here; a changed meaning raises
/// the version, and a program refuses a version above its own.
struct StoredState: Codable, Equatable {
  static let version = 1

  var version = Self.version
  var peer: PeerID
  /// The ids that were left to twins, the latest last.
  var formerPeers: [PeerID]?
  /// How often the peer has started on this directory.
  var incarnationCount: UInt32
  var time: Time?

  /// A session, and the map to it that was good under one boot.
  struct Time: Codable, Equatable {
    /// The boot under which `map` was made: the host's clock begins anew with each.
    var bootID: String?
    /// How long the host had slept since that boot; the host's clock stops in its sleep.
    var suspendedNanoseconds: Int64
    var session: StoredSession
    var map: StoredMap?
    /// The rates of other hosts' clocks; those hold under any boot.
    var rates: [RateBook.Entry]?

    enum CodingKeys: String, CodingKey {
      case bootID = "boot_id"
      case suspendedNanoseconds = "suspended_ns"
      case session, map, rates
    }
  }

  enum CodingKeys: String, CodingKey {
    case version, peer, time
    case formerPeers = "former_peers"
    case incarnationCount = "incarnation_count"
  }
}

/// A session in the file's words.
struct StoredSession: Codable, Equatable {
  let id: SessionID
  let anchor: SharedInstant
  let anchorUnixNanoseconds: Int64
  let anchorErrorNanoseconds: Int64
  let utcOffsetSeconds: Int32
  let previous: SessionID?

  init(_ session: Session) {
    id = session.id
    anchor = session.anchor
    anchorUnixNanoseconds = session.anchorUnixNanoseconds
    anchorErrorNanoseconds = session.anchorErrorNanoseconds
    utcOffsetSeconds = session.utcOffsetSeconds
    previous = session.previous
  }

  var session: Session {
    Session(
      id: id, anchor: anchor, anchorUnixNanoseconds: anchorUnixNanoseconds,
      anchorErrorNanoseconds: anchorErrorNanoseconds, utcOffsetSeconds: utcOffsetSeconds,
      previous: previous)
  }

  enum CodingKeys: String, CodingKey {
    case id, previous
    case anchor = "anchor_shared_ns"
    case anchorUnixNanoseconds = "anchor_unix_ns"
    case anchorErrorNanoseconds = "anchor_error_ns"
    case utcOffsetSeconds = "utc_offset_s"
  }
}

/// A map in the file's words.
struct StoredMap: Codable, Equatable {
  let session: SessionID
  let generation: UInt32
  let hostAnchor: HostInstant
  let sharedAnchor: SharedInstant
  let skewFraction: Double
  let jitterBoundNanoseconds: Int64
  let pathLimitNanoseconds: Int64
  let boundGrowthFraction: Double

  init(_ map: ClockMap) {
    session = map.session
    generation = map.generation
    hostAnchor = map.hostAnchor
    sharedAnchor = map.sharedAnchor
    skewFraction = map.skew.fraction
    jitterBoundNanoseconds = map.jitterBoundNanoseconds
    pathLimitNanoseconds = map.pathLimitNanoseconds
    boundGrowthFraction = map.boundGrowth.fraction
  }

  var map: ClockMap {
    ClockMap(
      session: session, generation: generation, hostAnchor: hostAnchor, sharedAnchor: sharedAnchor,
      skew: ClockRate(fraction: skewFraction), jitterBoundNanoseconds: jitterBoundNanoseconds,
      pathLimitNanoseconds: pathLimitNanoseconds,
      boundGrowth: ClockRate(fraction: boundGrowthFraction))
  }

  enum CodingKeys: String, CodingKey {
    case session, generation
    case hostAnchor = "host_anchor_ns"
    case sharedAnchor = "shared_anchor_ns"
    case skewFraction = "skew"
    case jitterBoundNanoseconds = "jitter_bound_ns"
    case pathLimitNanoseconds = "path_limit_ns"
    case boundGrowthFraction = "bound_growth"
  }
}
