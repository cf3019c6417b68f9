internal import Units

extension PeerNode {
  /// For how long a peer heard by multicast is taken to hear it too.
  static let multicastTrust = Duration.seconds(2)

  func beacon(at now: HostInstant) -> Beacon {
    Beacon(
      unicastPort: configuration.unicastPort, reliablePort: configuration.reliablePort,
      label: configuration.label, software: configuration.software, activity: activity,
      uptimeSeconds: uptimeSeconds(at: now))
  }

  mutating func nextToken() -> SendToken {
    lastToken += 1
    return SendToken(value: lastToken)
  }

  mutating func unicast(
    _ message: Message, to path: PathAddress, token: SendToken? = nil
  ) -> PeerAction {
    .send(sealer.seal(message, generator: &generator), to: path, token: token)
  }

  /// By multicast to whoever hears it, and apart to those from whom no multicast comes.
  private mutating func spread(
    _ message: Message, alsoTo paths: [PathAddress], lost: Bool, at now: HostInstant
  ) -> [PeerAction] {
    var places = Set(paths)
    for peer in peersWithoutMulticast(at: now)
    where lost || heartbeat.liveness(of: peer) != .disconnected {
      if let path = peersByID[peer]?.path { places.insert(path) }
    }
    // Sealed for each channel apart: whoever hears several of them takes each for a sign of life
    // of its own path, and none for a replay.
    let everywhere = (0..<channels).map { channel in
      PeerAction.multicast(sealer.seal(message, generator: &generator), channel: channel)
    }
    return everywhere + places.sorted().map { unicast(message, to: $0) }
  }

  /// Those from whom no multicast comes. Peers are looked at where they stand: with a hundred of
  /// them copies would take most of a turn.
  mutating func peersWithoutMulticast(at now: HostInstant) -> [PeerID] {
    var found: [PeerID] = []
    // `indices` would hold on to the dictionary, and the first look would copy all of it.
    var place = peersByID.startIndex
    while place != peersByID.endIndex {
      if !peersByID.values[place].trustsMulticast(at: now) { found.append(peersByID.keys[place]) }
      peersByID.formIndex(after: &place)
    }
    return found
  }

  /// Whether multicast came from a peer lately, and so goes to it too, as far as is known.
  func isHeardByMulticast(_ known: KnownPeer, at now: HostInstant) -> Bool {
    known.lastMulticast.map { $0 + Self.multicastTrust > now } ?? false
  }

  mutating func sendBeacon(at now: HostInstant) -> [PeerAction] {
    spread(.beacon(beacon(at: now)), alsoTo: configuration.seeds + strangers, lost: true, at: now)
      + introduce(at: now)
  }

  /// The places that others told of, but for those where a peer is known by now.
  private var strangers: [PathAddress] {
    if places.isEmpty { return [] }
    // Whoever told of a place may not know by which interface it is reached.
    let known = Set(peersByID.values.flatMap { $0.paths.all.flatMap { [$0, $0.anywhere] } })
    return places.filter { !known.contains($0) }
  }

  mutating func sendHeartbeat(at now: HostInstant) -> [PeerAction] {
    let standing = election.standing(at: now)
    heardCoordinator = election.hearsCoordinator(at: now)
    let message = HeartbeatMessage(
      term: election.term, hearsCoordinator: heardCoordinator,
      session: clockMap == nil ? nil : session, grade: TimeGrade(clockMap, at: now),
      activity: activity,
      hostCount: standing.hostCount, rollingCount: standing.rollingCount,
      tenureSeconds: standing.tenureSeconds, statusGeneration: board.generation,
      takes: takeLedger.forHeartbeat(in: session?.id))
    return spread(.heartbeat(message), alsoTo: [], lost: false, at: now)
  }

  mutating func carryOut(_ action: Heartbeat.Action, at now: HostInstant) -> [PeerAction] {
    switch action {
    case .sendHeartbeat: return sendHeartbeat(at: now)
    case .report(let peer, let liveness):
      var actions: [PeerAction] = [.connection(peer, liveness), .peersChanged]
      switch liveness {
      case .connected:
        considerDialling(peer, at: now)
        actions += dialDue(at: now)
      case .degraded:
        nextPing = min(nextPing, now)
        nextTending = min(nextTending ?? now, now)
      case .disconnected:
        actions += desk.lost(peer).map(action(for:)) + dropLink(to: peer, at: now)
      }
      return actions
    }
  }

  func action(for action: CommandDesk.Action) -> PeerAction {
    switch action {
    case .transmit(let command, let peer): .sendReliable(peer, .command(command))
    case .abandon(let id, let peer, let reason): .abandoned(id, to: peer, reason: reason)
    }
  }
}
