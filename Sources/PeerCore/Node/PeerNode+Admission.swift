internal import Units

extension PeerNode {
  /// Takes in a run that has proved itself by `echo` and said `beacon` of itself, in place of an
  /// earlier one of its peer.
  mutating func admit(
    by echo: WireHeader, path: PathAddress, saying beacon: Beacon?, at now: HostInstant
  ) -> [PeerAction] {
    var actions: [PeerAction] = []
    let run = PeerRun(peer: echo.sender, incarnation: echo.incarnation)
    if let known = peersByID[run.peer] {
      guard known.incarnation != run.incarnation else { return [] }
      if let end = aliveUntil(run.peer, at: now) {
        proof.postpone(run, path: path, saying: beacon, until: end, generator: &generator)
        return []
      }
      actions += end(run.peer, at: now)
      actions.append(.note(.restarted(run.peer)))
    } else {
      guard let freed = makeRoom(at: now) else {
        refusals.count(.tableFull)
        return [.note(.tableFull(run.peer))]
      }
      actions += freed
    }
    do {
      try opener.prove(echo)
    } catch {
      refusals.count(error)
      return actions + [.note(.tableFull(run.peer))]
    }
    var known = KnownPeer(incarnation: run.incarnation, path: path, rules: pathRules, at: now)
    if let beacon { _ = known.take(beacon) }
    peersByID[run.peer] = known
    considerDialling(run.peer, at: now)
    heartbeat.hasten(at: now + crowding)
    beacons.hasten(at: now + crowding)
    if election.role == .following(run.peer) {
      // Its clock may be another, and what the run before said of shared time is void.
      time.follow(run, leadingSince: now, at: now)
      prober.restart(at: now)
    }
    return actions + touch(run.peer, at: now) + [.peersChanged]
  }

  /// What this host waits, beyond its manners, before it tells somebody new of itself: among many who
  /// come at once each would else tell each of all, as often as it may.
  var crowding: Duration {
    .milliseconds(2 * Int64(max(0, peersByID.count - Self.smallGroup)))
  }

  /// Up to how many peers nobody waits.
  private static let smallGroup = 32

  /// Until when the run that is known of `peer` is taken to live; nothing where it is not. Whoever
  /// else bears its id is a twin, which finds that out by itself and displaces nobody. A run that is
  /// over has lost its links, or falls silent: then the one that follows it is asked again.
  private func aliveUntil(_ peer: PeerID, at now: HostInstant) -> HostInstant? {
    guard peersByID[peer]?.isLinked ?? false, heartbeat.liveness(of: peer) == .connected,
      let last = heartbeat.lastHeard(peer)
    else { return nil }
    let end = last + configuration.policy.heartbeat.suspectAfter
    return now < end ? end : nil
  }

  /// The run that was known of `peer` is over.
  private mutating func end(_ peer: PeerID, at now: HostInstant) -> [PeerAction] {
    var actions = desk.forget(peer).map(action(for:))
    board.stop(sendingTo: peer)
    replyStamps.forget(peer)
    if peersByID[peer]?.isLinked ?? false { actions.append(.hangUp(peer)) }
    if election.forget(peer, at: now) { actions += assumeRole(at: now) }
    return actions
  }

  /// Forgets the peer that has been lost for longest where the table is full; nothing where there
  /// is none to forget.
  private mutating func makeRoom(at now: HostInstant) -> [PeerAction]? {
    guard peersByID.count >= configuration.policy.mostPeers else { return [] }
    let lost = peersByID.keys.filter { heartbeat.liveness(of: $0) == .disconnected }
    let oldest = lost.sorted().min {
      (heartbeat.lastHeard($0) ?? now) < (heartbeat.lastHeard($1) ?? now)
    }
    return oldest.map { forget($0, at: now) }
  }

  /// Forgets those who were lost long ago.
  mutating func forgetLost(at now: HostInstant) -> [PeerAction] {
    let old = peersByID.keys.filter {
      heartbeat.liveness(of: $0) == .disconnected
        && (heartbeat.lastHeard($0) ?? now) + configuration.policy.forgetAfter <= now
    }
    return old.sorted().flatMap { forget($0, at: now) }
  }

  private mutating func forget(_ peer: PeerID, at now: HostInstant) -> [PeerAction] {
    let actions = end(peer, at: now)
    peersByID[peer] = nil
    dials[peer] = nil
    heartbeat.forget(peer)
    mirror.forget(peer)
    opener.forget(peer)
    return actions + [.peersChanged]
  }
}
