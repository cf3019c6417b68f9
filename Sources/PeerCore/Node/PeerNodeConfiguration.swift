public import Units

/// Who a node is and what it begins with.
public struct PeerNodeConfiguration: Sendable {
  public let peer: PeerID
  public let incarnation: Incarnation
  public let label: String
  /// The program and its version, such as `recorder 0.1`.
  public let software: String
  /// The port on which this host takes datagrams.
  public let unicastPort: UInt16
  /// The port on which this host takes reliable links.
  public let reliablePort: UInt16
  public let cipher: Cipher
  /// Places to which beacons go besides the multicast group.
  public let seeds: [PathAddress]
  /// A fixed time between bursts of probes; nothing: as the state of affairs asks for.
  public let syncInterval: Duration?
  /// What was kept of an earlier run; its map only if it still holds on this host.
  public let stored: StoredTime?
  /// What the wall clock said, for a session that this node may mint.
  public let wall: WallReading
  /// Where shared time is taken from this host's own disciplined wall clock; nothing: the hosts
  /// agree among themselves.
  public let systemTime: SystemTimeSource?
  public let policy: PeerNodePolicy

  /// Makes a configuration; `syncInterval`, if given, must be positive.
  public init(
    peer: PeerID, incarnation: Incarnation, label: String, software: String, unicastPort: UInt16,
    reliablePort: UInt16, cipher: Cipher, seeds: [PathAddress] = [], syncInterval: Duration? = nil,
    stored: StoredTime? = nil, wall: WallReading, systemTime: SystemTimeSource? = nil,
    policy: PeerNodePolicy = PeerNodePolicy()
  ) {
    precondition(syncInterval.map { $0 > .zero } ?? true, "a sync interval is positive")
    self.peer = peer
    self.incarnation = incarnation
    self.label = label
    self.software = software
    self.unicastPort = unicastPort
    self.reliablePort = reliablePort
    self.cipher = cipher
    self.seeds = seeds
    self.syncInterval = syncInterval
    self.stored = stored
    self.wall = wall
    self.systemTime = systemTime
    self.policy = policy
  }

  /// The same for another run of this host, under another id.
  func rekeyed(
    peer: PeerID, incarnation: Incarnation, stored: StoredTime?
  ) -> PeerNodeConfiguration {
    PeerNodeConfiguration(
      peer: peer, incarnation: incarnation, label: label, software: software,
      unicastPort: unicastPort, reliablePort: reliablePort, cipher: cipher, seeds: seeds,
      syncInterval: syncInterval, stored: stored, wall: wall, systemTime: systemTime,
      policy: policy)
  }
}

/// One reading of the wall clock beside the host's own.
public struct WallReading: Hashable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00 UTC.
  public let unixNanoseconds: Int64
  /// How far off that may be, in nanoseconds.
  public let errorNanoseconds: Int64
  /// The offset from UTC, in seconds east.
  public let utcOffsetSeconds: Int32
  /// When it was read.
  public let host: HostInstant

  /// Makes a reading.
  public init(
    unixNanoseconds: Int64, errorNanoseconds: Int64 = 1_000_000_000, utcOffsetSeconds: Int32 = 0,
    host: HostInstant
  ) {
    self.unixNanoseconds = unixNanoseconds
    self.errorNanoseconds = errorNanoseconds
    self.utcOffsetSeconds = utcOffsetSeconds
    self.host = host
  }

  /// What the wall clock would say at `instant`, had nobody set it since.
  public func unixNanoseconds(at instant: HostInstant) -> Int64 {
    unixNanoseconds + (instant.nanoseconds - host.nanoseconds)
  }
}

extension ClockMap {
  /// By how much a map that is kept may come to be off while nobody tends it, be it of a host that
  /// led: another may lead meanwhile.
  static let keptGrowth = ClockRate(partsPerMillion: 1)

  /// The map as it is to be kept at `now`: from then on its bound grows, whoever it is of.
  func kept(at now: HostInstant, growingBy growth: ClockRate = keptGrowth) -> ClockMap {
    ClockMap(
      session: session, generation: generation, hostAnchor: now, sharedAnchor: shared(at: now),
      skew: skew, jitterBoundNanoseconds: jitterBoundNanoseconds(at: now),
      pathLimitNanoseconds: pathLimitNanoseconds,
      boundGrowth: max(boundGrowth, growth))
  }
}

/// What a host keeps of shared time between its runs.
public struct StoredTime: Hashable, Sendable, Codable {
  public let session: Session
  /// The host's map to the session's time: valid only under the boot and suspend count it was
  /// made under, which whoever stores it keeps beside it.
  public let map: ClockMap?
  /// The rates of other hosts' clocks, which hold under any boot.
  public let rates: RateBook

  /// Makes what is stored.
  public init(session: Session, map: ClockMap?, rates: RateBook = RateBook()) {
    self.session = session
    self.map = map
    self.rates = rates
  }
}
