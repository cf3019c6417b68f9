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
  /// Where it was heard, and when.
  private(set) var paths: [PathAddress: HostInstant] = [:]
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
    paths[path] = now
  }

  var isLinked: Bool { link == .up }

  /// Takes note that the peer was heard on `other`; whether that is now the path in use.
  ///
  /// The path in use stays while it is heard, so that the estimate rests on one path; else the
  /// next one that is heard takes over.
  mutating func heard(
    on other: PathAddress, limit: Int, patience: Duration, at now: HostInstant
  ) -> Bool {
    if paths[other] == nil, paths.count >= limit,
      let oldest = paths.filter({ $0.key != path }).min(by: {
        ($0.value, $0.key) < ($1.value, $1.key)
      })
    {
      paths[oldest.key] = nil
    }
    if paths.count < limit || paths[other] != nil { paths[other] = now }
    guard other != path, let last = paths[path], last + patience <= now else { return false }
    path = other
    return true
  }

  /// Takes note of what a beacon says.
  mutating func take(_ beacon: Beacon) -> Bool {
    let isNew = label != beacon.label || software != beacon.software
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
