public import Units

extension PeerNode {
  /// The most channels that multicast goes out on.
  public static let mostChannels = 16
  /// The most places that others told of.
  public static let mostPlaces = 64

  /// What became of a command when it was given.
  public struct CommandReceipt: Hashable, Sendable {
    public let id: CommandID
    /// To whom it goes: each will be reported as acknowledged or abandoned.
    public let recipients: [PeerID]
  }

  /// Gives a command to every peer that is there now.
  public mutating func broadcast(
    type: String, payload: [UInt8], expires: SharedInstant? = nil, at now: HostInstant
  ) throws(PeerNodeError) -> (receipt: CommandReceipt, actions: [PeerAction]) {
    let present = peersByID.keys.filter { heartbeat.liveness(of: $0) != .disconnected }
    return try issue(type: type, payload: payload, expires: expires, to: present.sorted())
  }

  /// Gives a command to one peer; to this host itself it is delivered at once.
  public mutating func send(
    type: String, payload: [UInt8], to peer: PeerID, expires: SharedInstant? = nil,
    at now: HostInstant
  ) throws(PeerNodeError) -> (receipt: CommandReceipt, actions: [PeerAction]) {
    if peer == me {
      let issued = try desk.issue(type: type, payload: payload, expires: expires, to: [])
      let command = CommandMessage(
        id: issued.id, type: type, payload: payload, expires: expires)
      return (
        CommandReceipt(id: issued.id, recipients: [me]),
        [.deliver(command, from: me), .acknowledged(issued.id, by: me)]
      )
    }
    guard peersByID[peer] != nil, heartbeat.liveness(of: peer) != .disconnected else {
      throw .unknownPeer(peer)
    }
    return try issue(type: type, payload: payload, expires: expires, to: [peer])
  }

  private mutating func issue(
    type: String, payload: [UInt8], expires: SharedInstant?, to peers: [PeerID]
  ) throws(PeerNodeError) -> (receipt: CommandReceipt, actions: [PeerAction]) {
    let issued = try desk.issue(type: type, payload: payload, expires: expires, to: peers)
    return (
      CommandReceipt(id: issued.id, recipients: peers), issued.actions.map(action(for:))
    )
  }

  /// Sets an entry of this host's status board.
  public mutating func setStatus(
    _ value: [UInt8], forKey key: String, at now: HostInstant
  ) throws(PeerNodeError) -> [PeerAction] {
    try board.set(value, forKey: key, at: now)
    return []
  }

  /// Removes an entry of this host's status board.
  public mutating func removeStatus(key: String, at now: HostInstant) -> [PeerAction] {
    board.remove(key: key, at: now)
    return []
  }

  /// Says what this host is busy with: time is measured every second while a take is armed or
  /// rolling, and the session is kept.
  public mutating func setActivity(_ activity: Activity, at now: HostInstant) -> [PeerAction] {
    guard activity != self.activity else { return [] }
    self.activity = activity
    election.candidacy.activity = activity
    prober.setFast(activity != .idle, at: now)
    heartbeat.hasten(at: now)
    return []
  }

  /// Has ``PeerAction/fire(_:)`` come when the displayed clock shows `instant`; at once where it
  /// has passed. The same id again replaces.
  public mutating func schedule(
    _ id: AgendaID, at instant: SharedInstant
  ) throws(PeerNodeError) {
    guard clockMap != nil else { throw .unsynchronized }
    try agenda.schedule(id, at: instant)
  }

  /// Says over how many channels multicast goes out: 0 to ``mostChannels``; beyond that the rest
  /// is not used.
  public mutating func setChannels(_ count: Int) {
    channels = min(max(0, count), Self.mostChannels)
  }

  /// Looks for a peer at `place`, which somebody else told of, now and with each beacon. Beyond
  /// ``mostPlaces`` the one that was told first is forgotten.
  public mutating func look(at place: PathAddress, now: HostInstant) -> [PeerAction] {
    guard !places.contains(place) else { return [] }
    if places.count >= Self.mostPlaces { places.removeFirst() }
    places.append(place)
    return [unicast(.beacon(beacon(at: now)), to: place)]
  }

  /// Looks there no more.
  public mutating func forget(place: PathAddress) { places.removeAll { $0 == place } }

  /// Takes a scheduled action off; whether it was still to come.
  public mutating func cancel(_ id: AgendaID) -> Bool { agenda.cancel(id) }
}
