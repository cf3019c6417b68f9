internal import Units

// The ways to each peer: which is used, and what is asked to know that.
extension PeerNode {
  /// Goes over to another path to `peer` where it is time to.
  mutating func choosePath(to peer: PeerID, at now: HostInstant) -> [PeerAction] {
    guard let change = peersByID[peer]?.paths.choose(at: now), let path = peersByID[peer]?.path
    else { return [] }
    if election.role == .following(peer) {
      // Its delays are others: what was measured on the path before says nothing of them.
      time.pathChanged(at: now)
      prober.pathChanged(at: now)
    }
    return [.note(.pathChanged(peer, path, change))]
  }

  /// Asks paths that have fallen silent, or are better than the one in use, whether they live;
  /// takes the next where one is lost, and moves links along.
  mutating func tendPaths(at now: HostInstant) -> [PeerAction] {
    guard let due = nextTending, due <= now else { return [] }
    var actions: [PeerAction] = []
    if nextPing <= now {
      nextPing = now + configuration.policy.paths.askInterval
      actions += askSilent(at: now)
    }
    if nextCare <= now {
      nextCare = now + configuration.policy.paths.careInterval
      careRound += 1
      actions += askOthers(at: now)
    }
    nextTending = nextCaring
    return actions
  }

  private mutating func askSilent(at now: HostInstant) -> [PeerAction] {
    var actions: [PeerAction] = []
    var silent = silentPeers(at: now)
    if silent.count > Self.mostAsked {
      let next = silent.firstIndex { peer in lastAsked.map { peer > $0 } ?? true } ?? 0
      silent = Array((silent[next...] + silent[..<next]).prefix(Self.mostAsked))
    }
    lastAsked = silent.last
    for peer in silent {
      for path in peersByID[peer]?.paths.all ?? [] {
        actions.append(question(on: path, at: now))
      }
      actions += choosePath(to: peer, at: now)
    }
    return actions
  }

  /// The most peers that are asked in one round, the others in the next ones: where hundreds fall
  /// silent at once the network is gone, and questions to all of them would fill what is left of it.
  static let mostAsked = 32

  /// The peers that are suspected, and those whose path in use is silent while there are others, in
  /// order. Peers are looked at where they stand, and only where that can be.
  private mutating func silentPeers(at now: HostInstant) -> [PeerID] {
    var found = heartbeat.suspects
    guard hasSeveralPaths else { return found }
    let patience = configuration.policy.paths.askAfter
    var place = peersByID.startIndex
    while place != peersByID.endIndex {
      let peer = peersByID.keys[place]
      if peersByID.values[place].isSilentOnOne(after: patience, at: now),
        heartbeat.liveness(of: peer) == .connected
      {
        found.append(peer)
      }
      peersByID.formIndex(after: &place)
    }
    return found.sorted()
  }

  private mutating func askOthers(at now: HostInstant) -> [PeerAction] {
    guard hasSeveralPaths else { return [] }
    let measuring = measuring
    var actions: [PeerAction] = []
    for peer in peersByID.keys.sorted() {
      guard let known = peersByID[peer], heartbeat.liveness(of: peer) == .connected else {
        continue
      }
      let others = known.paths.others(
        measuring: election.role == .following(peer) ? measuring : .none)
      for path in others { actions.append(question(on: path, at: now)) }
      actions += choosePath(to: peer, at: now) + moveLink(to: peer, at: now)
    }
    return actions
  }

  /// Which of the coordinator's other paths are measured in this round.
  private var measuring: PathTable.Measuring {
    let policy = configuration.policy.paths
    guard careRound % policy.careRounds == 0 else { return .none }
    let isDue = activity != .idle || careRound % (policy.careRounds * policy.idleRounds) == 0
    return isDue ? .all : .unknown
  }

  /// A link on a path that is lost is given up for one on the path in use.
  private mutating func moveLink(to peer: PeerID, at now: HostInstant) -> [PeerAction] {
    let patience = configuration.policy.paths.silentAfter
    guard peer > me, let known = peersByID[peer],
      known.isLinkStranded(silentAfter: patience, at: now)
    else { return [] }
    return dropLink(to: peer, at: now)
  }

  /// A probe that only asks whether somebody lives there.
  private mutating func question(on path: PathAddress, at now: HostInstant) -> PeerAction {
    unicast(.probe(prober.nextProbe(at: now)), to: path)
  }

  /// When the path in use to a peer is to be asked, should it stay silent.
  private func silence(of known: KnownPeer) -> HostInstant {
    known.paths.lastHeard + configuration.policy.paths.askAfter
  }

  /// When ``tendPaths(at:)`` may next have something to do: while a peer is suspected, or more than
  /// one path leads to somebody.
  private var nextCaring: HostInstant? {
    var next = heartbeat.hasSuspects ? nextPing : nil
    guard hasSeveralPaths else { return next }
    for known in peersByID.values where known.paths.count > 1 {
      let due = min(nextCare, max(nextPing, silence(of: known)))
      next = min(next ?? due, due)
    }
    return next
  }
}
