/// The numbers by which a node lives. They are checked once, here.
public struct PeerNodePolicy: Hashable, Sendable {
  /// When the first beacons go out, after the start.
  public let beaconBurst: [Duration]
  /// The time between beacons after the burst, for the first ten.
  public let beaconInterval: Duration
  /// The time between beacons once the node is no longer new.
  public let settledBeaconInterval: Duration
  public let heartbeat: HeartbeatPolicy
  public let election: ElectionPolicy
  /// The most peers that are known at once.
  public let mostPeers: Int
  /// The most runs of peers that are being asked for a proof at once.
  public let mostCandidates: Int
  /// How the paths to each peer are watched.
  public let paths: PathPolicy
  /// The most commands that wait for one peer's acknowledgement.
  public let mostPendingCommands: Int
  /// The most scheduled actions.
  public let mostAgendaEntries: Int
  /// How long changes of the status board are gathered before they are sent.
  public let statusDebounce: Duration
  /// How long a lost peer is remembered.
  public let forgetAfter: Duration
  /// How often the map of time is handed out to be kept.
  public let persistInterval: Duration

  /// Makes a policy; every span must be positive and every limit 1 or more.
  public init(
    beaconBurst: [Duration] = [
      .zero, .milliseconds(50), .milliseconds(150), .milliseconds(400),
    ],
    beaconInterval: Duration = .seconds(1), settledBeaconInterval: Duration = .seconds(2),
    heartbeat: HeartbeatPolicy = HeartbeatPolicy(), election: ElectionPolicy = ElectionPolicy(),
    mostPeers: Int = 256, mostCandidates: Int = 256,
    paths: PathPolicy = PathPolicy(),
    mostPendingCommands: Int = 256, mostAgendaEntries: Int = 1024,
    statusDebounce: Duration = .milliseconds(20), forgetAfter: Duration = .seconds(600),
    persistInterval: Duration = .seconds(60)
  ) {
    let spans = [
      beaconInterval, settledBeaconInterval, statusDebounce, forgetAfter, persistInterval,
    ]
    precondition(spans.allSatisfy { $0 > .zero }, "every span is positive: \(spans)")
    let limits = [mostPeers, mostCandidates, mostPendingCommands, mostAgendaEntries]
    precondition(limits.allSatisfy { $0 >= 1 }, "every limit is 1 or more: \(limits)")
    precondition(beaconBurst.allSatisfy { $0 >= .zero }, "beacons follow the start: \(beaconBurst)")
    precondition(
      election.coordinatorSilence > heartbeat.suspectAfter,
      "a coordinator is asked before it is given up")
    self.beaconBurst = beaconBurst.sorted()
    self.beaconInterval = beaconInterval
    self.settledBeaconInterval = settledBeaconInterval
    self.heartbeat = heartbeat
    self.election = election
    self.mostPeers = mostPeers
    self.mostCandidates = mostCandidates
    self.paths = paths
    self.mostPendingCommands = mostPendingCommands
    self.mostAgendaEntries = mostAgendaEntries
    self.statusDebounce = statusDebounce
    self.forgetAfter = forgetAfter
    self.persistInterval = persistInterval
  }
}
