public import Sealing
public import Units

/// One host's part in a group: finds the others, agrees with them on time, carries commands and
/// status.
///
/// A node decides and never acts: it is told what arrived and what time it is, and gives back what
/// is to be done. It is made of small machines; this type passes to each what concerns it.
///
///     datagrams, links, users  ->  PeerNode  ->  actions, carried out in order
///                                  next wake-up
public struct PeerNode: Sendable {
  public let configuration: PeerNodeConfiguration
  /// What this host is busy with.
  public internal(set) var activity = Activity.idle
  /// How many datagrams were refused, by reason.
  public internal(set) var refusals = RefusalCounts()
  /// How many datagrams that bear the group's tag did not open, by where they came from:
  /// the paths have port 0.
  public internal(set) var wrongKeys: [PathAddress: UInt64] = [:]
  /// The part that keeps shared time.
  public internal(set) var time: TimeKeeper
  public internal(set) var election: Election

  var generator: SecureGenerator
  var sealer: DatagramSealer
  var opener: DatagramOpener
  var beacons: BeaconSchedule
  var proof: IncarnationProof
  var peersByID: [PeerID: KnownPeer] = [:]
  let pathRules: PathRules
  var heartbeat: Heartbeat
  var prober: Prober
  var replyStamps = ReplyStamps()
  var desk: CommandDesk
  var board: StatusBoard
  var mirror = StatusMirror()
  var agenda: Agenda
  var takeLedger = TakeLedger()
  var twins = TwinWatch()
  var introductionRound = 0
  /// Whether another id was asked for.
  var isRekeying = false
  /// What is to be said first, of what was kept of an earlier run.
  var greeting: PeerNote?
  /// When this run began.
  let start: HostInstant
  /// What the wall clock said last: for a session that may be minted.
  var wall: WallReading
  var lastNow: HostInstant
  var lastToken: UInt64 = 0
  /// When paths that have fallen silent are asked next, and when those that are not used are.
  var nextPing: HostInstant
  /// When a link is to be dialled, or given up, and to whom: no more than a peer has links. All others are
  /// linked, diallers themselves, or not to be reached before there is news of them.
  var dials: [PeerID: HostInstant] = [:]
  /// No link is to be dialled, nor given up, before this.
  var nextDial: HostInstant?
  var nextCare: HostInstant
  var careRound = 0
  /// Whether more than one path has led to somebody.
  var hasSeveralPaths = false
  /// Who was asked last of those that are silent.
  var lastAsked: PeerID?
  /// No path is to be asked before this; nothing where that takes news.
  var nextTending: HostInstant?
  /// Over how many channels multicast goes out.
  var channels = 1
  /// Where else to look for peers, as others told.
  var places: [PathAddress] = []
  /// The first pause between two times at which the map is handed out to be kept; it doubles.
  static let firstPersistPause = Duration.seconds(5)
  var nextPersist: HostInstant
  var persistPause = Self.firstPersistPause
  /// When the wall clock is read next, where time comes from it.
  var nextSystemReading: HostInstant?
  var heardCoordinator = false
  var lastCoordinator: PeerID?

  /// Makes a node that starts at `now`: ``advance(to:)`` at once gives its first beacon.
  public init(
    configuration: PeerNodeConfiguration, generator: SecureGenerator, at now: HostInstant
  ) {
    let policy = configuration.policy
    self.configuration = configuration
    self.generator = generator
    pathRules = PathRules(policy.paths)
    sealer = DatagramSealer(
      cipher: configuration.cipher, sender: configuration.peer,
      incarnation: configuration.incarnation)
    opener = DatagramOpener(
      cipher: configuration.cipher, me: configuration.peer, incarnation: configuration.incarnation)
    beacons = BeaconSchedule(policy: policy, at: now)
    proof = IncarnationProof(limit: policy.mostCandidates)
    heartbeat = Heartbeat(policy: policy.heartbeat, at: now)
    prober = Prober(interval: configuration.syncInterval, at: now)
    desk = CommandDesk(
      incarnation: configuration.incarnation, limit: policy.mostPendingCommands)
    board = StatusBoard(debounce: policy.statusDebounce)
    agenda = Agenda(limit: policy.mostAgendaEntries)
    if let source = configuration.systemTime {
      time = TimeKeeper(system: source.session(groupTag: configuration.cipher.tag), at: now)
      nextSystemReading = now
    } else {
      time = TimeKeeper(stored: configuration.stored, at: now)
    }
    election = Election(
      me: configuration.peer, policy: policy.election,
      candidacy: Election.Candidacy(
        grade: TimeGrade(time.clock.map, at: now), activity: .idle), at: now)
    greeting = configuration.stored.flatMap { Self.greeting($0, at: now) }
    start = now
    wall = configuration.wall
    lastNow = now
    nextPing = now
    nextCare = now
    nextPersist = now + Self.firstPersistPause
  }

  private static func greeting(_ stored: StoredTime, at now: HostInstant) -> PeerNote? {
    guard let map = stored.map else { return .mapVoid(stored.session.id) }
    return .resumed(
      stored.session.id, gap: now - map.hostAnchor,
      boundNanoseconds: map.boundNanoseconds(at: now))
  }

  /// This host's id.
  public var me: PeerID { configuration.peer }

  /// Who keeps the time; nobody while the group forms, and while this host holds over alone.
  public var coordinator: PeerID? { election.coordinator }

  /// The term that is obeyed.
  public var term: Term? { election.term }

  /// The session that is kept, once there is one.
  public var session: Session? { time.clock.session }

  /// The best that is known of shared time: for cuts, files and logs.
  public var clockMap: ClockMap? { time.clock.map }

  /// What the displayed clock shows at `now`: within a map's generation always more than the
  /// reading before.
  public mutating func now(at now: HostInstant) -> SharedInstant? { time.read(at: now) }

  /// The peers that are known, in order, those lost included.
  public var peers: [PeerSummary] {
    peersByID.keys.sorted().compactMap { peer in
      guard let known = peersByID[peer] else { return nil }
      return PeerSummary(
        peer: peer, incarnation: known.incarnation, label: known.label, software: known.software,
        liveness: heartbeat.liveness(of: peer) ?? .disconnected,
        lastHeard: heartbeat.lastHeard(peer) ?? lastNow,
        activity: known.heartbeat?.activity ?? .idle, session: known.heartbeat?.session?.id,
        path: known.path, pathCount: known.paths.count, hasLink: known.isLinked,
        isHeardByMulticast: isHeardByMulticast(known, at: lastNow))
    }
  }

  /// The takes that are known, of whatever session, the earliest first.
  public var takes: [TakeState] { takeLedger.takes }

  /// What `peer`, or this host, says of itself.
  public func status(of peer: PeerID) -> [String: [UInt8]] {
    peer == me ? board.values : mirror.values(of: peer)
  }

  /// No later than the earliest time at which ``advance(to:)`` has something to do.
  public var nextWakeup: HostInstant {
    var node = self
    return node.wakeupDue()
  }

  /// The same as ``nextWakeup``, asked of the node where it stands. It changes nothing, but whoever
  /// reads a property of so large a value copies all of it, and shells ask after each turn.
  @inline(never)
  public mutating func wakeupDue() -> HostInstant {
    var next = min(beacons.next, heartbeat.nextWakeup, nextPersist)
    next = min(next, election.nextWakeup(after: lastNow))
    if let instant = proof.nextWakeup { next = min(next, instant) }
    if let instant = nextSystemReading { next = min(next, instant) }
    if let instant = prober.nextProbe { next = min(next, instant) }
    if let instant = board.nextPush { next = min(next, instant) }
    if let instant = nextDial { next = min(next, instant) }
    if let instant = nextTending { next = min(next, instant) }
    if let instant = agenda.next { next = min(next, wakeup(for: instant)) }
    if let instant = desk.nextExpiry { next = min(next, wakeup(for: instant)) }
    return next
  }

  /// When the displayed clock will show `instant`. Its inverse may err by a nanosecond: nobody
  /// wakes for the same instant twice.
  private func wakeup(for instant: SharedInstant) -> HostInstant {
    guard let host = time.clock.host(at: instant) else { return nextPersist }
    return max(host, lastNow + .microseconds(1))
  }
}
