public import Units

extension PeerNode {
  /// How long a dialled link may take to come up.
  static let dialPatience = Duration.seconds(5)
  /// The least time between two requests for one board.
  static let statusRequestInterval = Duration.seconds(1)

  /// Takes note that a reliable link to the run of `peer` is ready. A link that replaces another
  /// to the same peer is reported like any; the end of the one it replaced is not.
  public mutating func linkReady(
    _ peer: PeerID, incarnation: Incarnation, at now: HostInstant
  ) -> [PeerAction] {
    lastNow = max(lastNow, now)
    // Whoever dials has had our proof and we may still wait for its own: it will dial again.
    guard let known = peersByID[peer], known.incarnation == incarnation else {
      return [.hangUp(peer)]
    }
    peersByID[peer]?.link = .up
    dials[peer] = nil
    peersByID[peer]?.lastStatusRequest = now
    var actions = touch(peer, at: now)
    actions += desk.linkOpened(to: peer).map(action(for:))
    let generation = mirror.knownGeneration(of: peer, incarnation: known.incarnation)
    return actions + [
      .sendReliable(peer, .statusRequest(knownGeneration: generation)), .peersChanged,
    ]
  }

  /// Takes note that the reliable link to `peer` has closed, or could not be opened.
  public mutating func linkClosed(_ peer: PeerID, at now: HostInstant) -> [PeerAction] {
    lastNow = max(lastNow, now)
    desk.linkClosed(to: peer)
    board.stop(sendingTo: peer)
    let wasLinked = peersByID[peer]?.isLinked ?? false
    peersByID[peer]?.linkFailed(at: now)
    considerDialling(peer, at: now)
    // It may be over, and another run of it be waiting for that.
    proof.hasten(peer, at: now)
    return wasLinked ? [.peersChanged] : []
  }

  /// Takes in a message that came by the reliable link of `peer`.
  public mutating func linkMessage(
    _ message: Message, from peer: PeerID, at now: HostInstant
  ) -> [PeerAction] {
    lastNow = max(lastNow, now)
    guard let known = peersByID[peer] else { return [] }
    var actions = touch(peer, at: now)
    switch message {
    case .command(let command):
      actions += receive(command, from: peer, incarnation: known.incarnation, at: now)
    case .acknowledgement(let id):
      if desk.acknowledged(id, by: peer) { actions.append(.acknowledged(id, by: peer)) }
    case .status(let message):
      if mirror.take(message, from: peer, incarnation: known.incarnation) {
        actions.append(.statusChanged(peer))
      }
    case .statusRequest(let generation):
      actions += board.messages(for: peer, since: generation).map {
        .sendReliable(peer, .status($0))
      }
    default: refusals.count(.unexpected)
    }
    return actions
  }

  private mutating func receive(
    _ command: CommandMessage, from peer: PeerID, incarnation: Incarnation, at now: HostInstant
  ) -> [PeerAction] {
    let isNew = desk.accepts(command, from: peer, incarnation: incarnation)
    // Only within one session do the two ends mean the same by an instant.
    let isSame = peersByID[peer]?.heartbeat?.session?.id == session?.id
    if isSame, let expires = command.expires, let shown = time.clock.reading(at: now),
      expires <= shown
    {
      return []
    }
    let acknowledgement = PeerAction.sendReliable(peer, .acknowledgement(command.id))
    return isNew ? [.deliver(command, from: peer), acknowledgement] : [acknowledgement]
  }

  /// Asks for what the board of `peer`, which is kept at `place`, has that is not known here.
  mutating func requestStatus(
    of peer: PeerID, at place: [PeerID: KnownPeer].Index, beyond generation: UInt64,
    at now: HostInstant
  ) -> [PeerAction] {
    let known = { [mirror] run in mirror.knownGeneration(of: peer, incarnation: run) }
    guard let have = peersByID.values[place].asksForStatus(generation, known: known, at: now)
    else { return [] }
    return [.sendReliable(peer, .statusRequest(knownGeneration: have))]
  }

  /// The links to dial at `now`: of each pair the one with the smaller id dials. Only those are looked at
  /// for whom it is time: of a thousand peers hundreds may be lost at once.
  mutating func dialDue(at now: HostInstant) -> [PeerAction] {
    guard let next = nextDial, next <= now else { return [] }
    var actions: [PeerAction] = []
    for peer in dials.filter({ $0.value <= now }).keys.sorted() {
      dials[peer] = nil
      actions += dial(peer, at: now)
    }
    nextDial = dials.values.min()
    return actions
  }

  /// Dials a link, or gives up one that did not come. Where the peer is not heard, or has not said where
  /// it takes links, nothing is done until that is news.
  private mutating func dial(_ peer: PeerID, at now: HostInstant) -> [PeerAction] {
    guard let known = peersByID[peer], let port = known.reliablePort, port != 0,
      heartbeat.liveness(of: peer) == .connected
    else { return [] }
    var actions: [PeerAction] = []
    switch known.link {
    case .down(let retry, _) where retry <= now:
      peersByID[peer]?.link = .dialling(since: now)
      peersByID[peer]?.linkPath = known.path
      actions.append(.dial(peer, known.path.with(port: port)))
    case .dialling(let since) where since + Self.dialPatience <= now:
      peersByID[peer]?.linkFailed(at: now)
      actions.append(.hangUp(peer))
    default: break
    }
    if let next = peersByID[peer]?.nextDial { considerDialling(peer, at: next) }
    return actions
  }

  /// Gives a link up whose network was lost: by itself it would go on only after as long a silence
  /// again, or never. Whoever dialled it dials anew.
  mutating func dropLink(to peer: PeerID, at now: HostInstant) -> [PeerAction] {
    guard peersByID[peer]?.isLinked ?? false else { return [] }
    peersByID[peer]?.link = .down(retry: now, failures: 0)
    considerDialling(peer, at: now)
    desk.linkClosed(to: peer)
    board.stop(sendingTo: peer)
    return [.hangUp(peer)]
  }

  /// Takes note that a link to `peer` may have to be dialled, or given up, at `instant`.
  mutating func considerDialling(_ peer: PeerID, at instant: HostInstant) {
    guard peer > me else { return }
    dials[peer] = min(dials[peer] ?? instant, instant)
    nextDial = min(nextDial ?? instant, instant)
  }
}

extension KnownPeer {
  /// When its link is to be dialled, or given up.
  fileprivate var nextDial: HostInstant? {
    switch link {
    case .down(let retry, _): retry
    case .dialling(let since): since + PeerNode.dialPatience
    case .up: nil
    }
  }
}
