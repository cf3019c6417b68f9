internal import Units

/// A path on which a peer was heard, and when.
struct HeardPath: Sendable {
  let path: PathAddress
  var lastHeard: HostInstant
}

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
  /// Where it was heard, and when.
  private(set) var paths: [HeardPath] = []
  /// The path that is used.
  private(set) var path: PathAddress
  /// When it was last heard by multicast.
  var lastMulticast: HostInstant?
  var heartbeat: HeartbeatMessage?
  var link: Link
  /// When its status board was last asked for.
  var lastStatusRequest: HostInstant?

  init(incarnation: Incarnation, path: PathAddress, at now: HostInstant) {
    self.incarnation = incarnation
    self.path = path
    link = .down(retry: now, failures: 0)
    paths = [HeardPath(path: path, lastHeard: now)]
  }

  var isLinked: Bool { link == .up }

  /// Takes note of a datagram of the peer; whether another path is in use from now on.
  mutating func heard(
    on datagram: ReceivedDatagram, policy: PeerNodePolicy, at now: HostInstant
  ) -> Bool {
    var other = datagram.path
    if datagram.wasMulticast {
      lastMulticast = now
      if let unicastPort, unicastPort != other.port { other = other.with(port: unicastPort) }
    }
    return heard(
      on: other, limit: policy.mostPaths, patience: policy.heartbeat.suspectAfter, at: now)
  }

  /// Takes note that the peer was heard on `other`; whether that is now the path in use.
  ///
  /// The path in use stays while it is heard, so that the estimate rests on one path; else the
  /// next one that is heard takes over.
  mutating func heard(
    on other: PathAddress, limit: Int, patience: Duration, at now: HostInstant
  ) -> Bool {
    note(other, limit: limit, at: now)
    guard other != path, let last = paths.first(where: { $0.path == path })?.lastHeard,
      last + patience <= now
    else { return false }
    path = other
    return true
  }

  /// Where there is no room, the path goes that was heard longest ago and is not in use.
  private mutating func note(_ other: PathAddress, limit: Int, at now: HostInstant) {
    if let place = paths.firstIndex(where: { $0.path == other }) {
      paths[place].lastHeard = now
      return
    }
    if paths.count >= limit,
      let oldest = paths.indices.filter({ paths[$0].path != path }).min(by: {
        (paths[$0].lastHeard, paths[$0].path) < (paths[$1].lastHeard, paths[$1].path)
      })
    {
      paths.remove(at: oldest)
    }
    if paths.count < limit { paths.append(HeardPath(path: other, lastHeard: now)) }
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
