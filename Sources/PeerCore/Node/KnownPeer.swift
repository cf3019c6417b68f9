internal import Units

/// What a node remembers of a peer whose run was proved.
struct KnownPeer: Sendable {
  /// How its reliable link stands.
  enum Link: Hashable, Sendable {
    case down(retry: HostInstant, failures: Int)
    case dialling(since: HostInstant)
    case up
  }

  let incarnation: Incarnation
  var label = ""
  var software = ""
  var unicastPort: UInt16?
  var reliablePort: UInt16?
  /// Where it is heard.
  var paths: PathTable
  /// When it was last heard by multicast.
  var lastMulticast: HostInstant?
  var heartbeat: HeartbeatMessage?
  private var heartbeatSequence: UInt64 = 0
  var link: Link
  /// The path on which its link was dialled last, with the port for datagrams.
  var linkPath: PathAddress?
  /// When its status board was last asked for.
  var lastStatusRequest: HostInstant?

  init(incarnation: Incarnation, path: PathAddress, rules: PathRules, at now: HostInstant) {
    self.incarnation = incarnation
    paths = PathTable(path, rules: rules, at: now)
    link = .down(retry: now, failures: 0)
  }

  /// The path that is used.
  var path: PathAddress { paths.used }

  var isLinked: Bool { link == .up }

  /// Takes note of a heartbeat with this number; whether the peer has not said anything later. One
  /// that was overtaken on its way would pass for news: that the peer obeys whom it no longer obeys,
  /// or does not hear the coordinator that it has just found.
  mutating func isLatestHeartbeat(_ sequence: UInt64) -> Bool {
    guard sequence > heartbeatSequence else { return false }
    heartbeatSequence = sequence
    return true
  }

  /// Takes note of a datagram of the peer; how many paths to it are known now, and whether that is
  /// one more.
  mutating func heard(
    on datagram: ReceivedDatagram, at now: HostInstant
  ) -> (pathCount: Int, isNew: Bool) {
    let before = paths.count
    var path = datagram.path
    if datagram.wasMulticast {
      lastMulticast = now
      // It came from the group's port, not from the one on which the peer takes an answer.
      guard let unicastPort else { return (before, false) }
      if unicastPort != path.port { path = path.with(port: unicastPort) }
    }
    paths.heard(on: path, at: now)
    return (paths.count, paths.count > before)
  }

  /// What is known of the peer's board, by `known`, where it is to be asked for since it has reached
  /// `generation`; takes note of the asking.
  mutating func asksForStatus(
    _ generation: UInt64, known: (Incarnation) -> UInt64, at now: HostInstant
  ) -> UInt64? {
    guard isLinked else { return nil }
    let have = known(incarnation)
    let interval = PeerNode.statusRequestInterval
    guard generation > have, lastStatusRequest.map({ now >= $0 + interval }) ?? true else {
      return nil
    }
    lastStatusRequest = now
    return have
  }

  /// Whether multicast came from the peer lately. It changes nothing: a reading would be given a copy
  /// of the dictionary's value, a change is made where it stands.
  mutating func trustsMulticast(at now: HostInstant) -> Bool {
    lastMulticast.map { $0 + PeerNode.multicastTrust > now } ?? false
  }

  /// Whether the path in use has been silent for so long while there are others. It changes nothing:
  /// see ``trustsMulticast(at:)``.
  mutating func isSilentOnOne(after patience: Duration, at now: HostInstant) -> Bool {
    paths.count > 1 && now >= paths.lastHeard + patience
  }

  /// Whether the link runs on a path that has fallen silent, while the one in use is heard.
  func isLinkStranded(silentAfter: Duration, at now: HostInstant) -> Bool {
    guard isLinked, let linkPath, linkPath != path, !paths.isSilent(at: now) else { return false }
    return paths.silence(of: linkPath, at: now).map { $0 >= silentAfter } ?? true
  }

  /// Takes note of what a beacon says; whether that is news.
  mutating func take(_ beacon: Beacon) -> Bool {
    let isNew =
      label != beacon.label || software != beacon.software || unicastPort != beacon.unicastPort
      || reliablePort != beacon.reliablePort
    label = beacon.label
    software = beacon.software
    unicastPort = beacon.unicastPort
    reliablePort = beacon.reliablePort
    return isNew
  }

  /// Takes note that the link failed or closed; it is dialled again after a pause that grows.
  mutating func linkFailed(at now: HostInstant) {
    var failures = 1
    if case .down(_, let before) = link { failures = before + 1 }
    let pause = min(Duration.seconds(5), Duration.milliseconds(100) * (1 << min(failures - 1, 6)))
    link = .down(retry: now + pause, failures: failures)
  }
}
