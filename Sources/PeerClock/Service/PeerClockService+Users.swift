internal import PeerCore
internal import Units

// What users ask for.
extension PeerClockService {
  func broadcast(_ command: Command) throws(PeerClockError) {
    try ask { node, now throws(PeerNodeError) in
      try node.broadcast(
        type: command.type, payload: command.payload, expires: command.expires, at: now
      ).actions
    }
  }

  func send(_ command: Command, to peer: PeerID) throws(PeerClockError) {
    try ask { node, now throws(PeerNodeError) in
      try node.send(
        type: command.type, payload: command.payload, to: peer, expires: command.expires, at: now
      ).actions
    }
  }

  func setStatus(_ value: [UInt8], forKey key: String) throws(PeerClockError) {
    try ask { node, now throws(PeerNodeError) in
      try node.setStatus(value, forKey: key, at: now)
    }
  }

  func removeStatus(forKey key: String) {
    turn { node, now in node.removeStatus(key: key, at: now) }
  }

  func setActivity(_ activity: Activity) {
    turn { node, now in node.setActivity(activity, at: now) }
  }

  func noteTake(_ take: TakeState) {
    turn { node, now in node.noteTake(take, at: now) }
  }

  func renewSession(wall: WallReading) throws(PeerClockError) {
    try ask { node, now throws(PeerNodeError) in try node.renewSession(wall: wall, at: now) }
  }

  func schedule(
    at instant: SharedInstant, _ action: @escaping Action
  ) throws(PeerClockError) -> AgendaID {
    lastAgendaID += 1
    let id = AgendaID(value: lastAgendaID)
    // It may be due at once, so it has to be there first.
    agenda[id] = action
    do throws(PeerClockError) {
      try ask { node, now throws(PeerNodeError) in
        try node.schedule(id, at: instant)
        return node.advance(to: now)
      }
    } catch {
      agenda[id] = nil
      throw error
    }
    return id
  }

  func look(at place: PathAddress) { turn { node, now in node.look(at: place, now: now) } }

  func endpoint(isOnNetwork: Bool) -> ClockEndpoint {
    let tag = String(node.configuration.cipher.tag, radix: 16)
    return ClockEndpoint(
      peer: node.me, port: node.configuration.unicastPort,
      groupTag: String(repeating: "0", count: 16 - tag.count) + tag, isOnNetwork: isOnNetwork)
  }

  func cancel(_ id: AgendaID) {
    // Without the action nothing is left to be done, whatever the node fires.
    guard agenda.removeValue(forKey: id) != nil else { return }
    turn { node, _ in
      _ = node.cancel(id)
      return []
    }
  }

  func status(of peer: PeerID) -> PeerStatus {
    PeerStatus(peer: peer, entries: node.status(of: peer))
  }

  /// One turn for a user, who is told what was refused.
  private func ask(
    _ tell: (inout PeerNode, HostInstant) throws(PeerNodeError) -> [PeerAction]
  ) throws(PeerClockError) {
    if isStopped { throw .stopped }
    do { try turn(tell) } catch { throw PeerClockError(error) }
  }
}
