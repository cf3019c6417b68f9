public import Units

extension PeerNode {
  /// The most places whose refused datagrams are counted apart.
  static let mostWrongKeyPlaces = 64

  /// Takes in a datagram at `now`.
  public mutating func receive(
    _ datagram: ReceivedDatagram, at now: HostInstant
  ) -> [PeerAction] {
    lastNow = max(lastNow, now)
    let opened: OpenedDatagram
    do {
      opened = try opener.open(datagram.bytes)
    } catch {
      return refuse(error, from: datagram.path)
        + (error == .unproven ? ask(senderOf: datagram, at: now) : [])
    }
    let run = PeerRun(peer: opened.header.sender, incarnation: opened.header.incarnation)
    if run.peer == me { return meetTwin(opened, of: run, datagram: datagram, at: now) }
    guard opened.isProven else {
      return receiveHint(opened, of: run, datagram: datagram, at: now)
    }
    let actions = heard(run.peer, on: datagram, at: now)
    let more = receive(opened, from: run.peer, datagram: datagram, at: now)
    return actions.isEmpty ? more : actions + more
  }

  /// Takes in when the datagram of `token` left.
  public mutating func transmitted(
    _ token: SendToken, stamp: HostInstant, kind: StampKind
  ) {
    if replyStamps.transmitted(token.value, stamp: stamp, kind: kind) { return }
    prober.transmitted(token.value, stamp: stamp, kind: kind)
  }

  /// Who sends more than beacons holds us for proved, and has perhaps proved itself in a datagram that
  /// was lost: it is asked again.
  private mutating func ask(
    senderOf datagram: ReceivedDatagram, at now: HostInstant
  ) -> [PeerAction] {
    // Where a sender of multicast is reached only its beacon says.
    guard !datagram.wasMulticast, let run = opener.run(of: datagram.bytes), run.peer != me
    else { return [] }
    return hint(run, path: datagram.path, at: now)
  }

  private mutating func refuse(_ refusal: WireRefusal, from path: PathAddress) -> [PeerAction] {
    refusals.count(refusal)
    guard refusal == .wrongKeyOrForged else { return [] }
    // A sender's port costs nothing to change: by itself it would fill the table, and the log.
    let place = path.with(port: 0)
    let isNew = wrongKeys[place] == nil
    guard !isNew || wrongKeys.count < Self.mostWrongKeyPlaces else { return [] }
    wrongKeys[place, default: 0] += 1
    return isNew ? [.note(.refused(refusal, from: path))] : []
  }

  /// A run that has not proved itself: what it says is a hint of where it may be.
  private mutating func receiveHint(
    _ opened: OpenedDatagram, of run: PeerRun, datagram: ReceivedDatagram, at now: HostInstant
  ) -> [PeerAction] {
    switch opened.message {
    case .beacon(let beacon):
      let actions = hint(run, path: datagram.path.with(port: beacon.unicastPort), at: now)
      proof.note(beacon, of: run)
      return actions
    case .challenge(let nonce):
      return answer(nonce, on: datagram.path, at: now) + hint(run, path: datagram.path, at: now)
    case .challengeEcho(let nonce):
      let beacon = proof.beacon(of: run)
      guard proof.accepts(nonce, of: run, at: now) else {
        refusals.count(.unexpected)
        return []
      }
      return admit(by: opened.header, path: datagram.path, saying: beacon, at: now)
    default:
      return []
    }
  }

  mutating func hint(
    _ run: PeerRun, path: PathAddress, at now: HostInstant
  ) -> [PeerAction] {
    guard let challenge = proof.hint(run, path: path, generator: &generator, at: now) else {
      return []
    }
    return send(challenge)
  }

  /// A challenge, and before it a beacon: the other end then knows our ports and label too.
  mutating func send(_ challenge: IncarnationProof.Challenge) -> [PeerAction] {
    [
      unicast(.beacon(beacon(at: lastNow)), to: challenge.path),
      unicast(.challenge(challenge.nonce), to: challenge.path),
    ]
  }

  mutating func answer(
    _ nonce: ChallengeNonce, on path: PathAddress, at now: HostInstant
  ) -> [PeerAction] {
    // Whoever asked will listen to us in a moment: let it not wait for the next beat.
    heartbeat.hasten(at: now + .milliseconds(30) + crowding)
    return [unicast(.challengeEcho(nonce), to: path)]
  }

  private mutating func receive(
    _ opened: OpenedDatagram, from peer: PeerID, datagram: ReceivedDatagram, at now: HostInstant
  ) -> [PeerAction] {
    switch opened.message {
    case .beacon(let beacon):
      let isNew = peersByID[peer]?.take(beacon) ?? false
      guard isNew else { return [] }
      considerDialling(peer, at: now)
      return [.peersChanged] + dialDue(at: now)
    case .challenge(let nonce):
      return answer(nonce, on: datagram.path, at: now)
    case .introduction(let introduction):
      return meet(introduction, on: datagram.path, at: now)
    case .probe(let probe):
      return [reply(to: probe, of: peer, datagram: datagram, at: now)]
    case .probeReply(let reply):
      peersByID[peer]?.paths.answered(
        on: datagram.path, after: datagram.stamp - reply.echoedTransmit)
      let exchanges = prober.received(
        reply, from: peer, stamp: datagram.stamp, kind: datagram.stampKind)
      // The next probe, if this reply calls for it, goes before anything is computed.
      var actions = probe(at: now)
      for exchange in exchanges {
        actions += take(exchange, map: reply.map, from: peer, at: now)
      }
      return actions
    case .heartbeat(let message):
      return receive(message, number: opened.header.sequence, from: peer, at: now)
    default:
      return []
    }
  }

  /// Takes in a heartbeat. Its sender is looked up once: of a hundred peers each beats twice a second.
  private mutating func receive(
    _ message: HeartbeatMessage, number: UInt64, from peer: PeerID, at now: HostInstant
  ) -> [PeerAction] {
    guard let place = peersByID.index(forKey: peer),
      peersByID.values[place].isLatestHeartbeat(number)
    else { return [] }
    var before: HeartbeatMessage? = message
    swap(&before, &peersByID.values[place].heartbeat)
    time.heard(message.session, from: peer, at: now)
    // Another session is taken up with the next exchange: let it come at once.
    if peer == coordinator, let theirs = message.session?.id, theirs != before?.session?.id,
      theirs != session?.id, activity == .idle
    {
      prober.restart(at: now)
    }
    var actions: [PeerAction] = []
    if before?.activity != message.activity || before?.session?.id != message.session?.id {
      actions.append(.peersChanged)
    }
    if election.heard(Claim(message), from: peer, at: now) { actions += assumeRole(at: now) }
    actions += learn(message.takes, at: now)
    actions += requestStatus(of: peer, at: place, beyond: message.statusGeneration, at: now)
    return actions
  }

  private mutating func heard(
    _ peer: PeerID, on datagram: ReceivedDatagram, at now: HostInstant
  ) -> [PeerAction] {
    guard let place = peersByID.index(forKey: peer) else { return [] }
    let (count, isNew) = peersByID.values[place].heard(on: datagram, at: now)
    if count > 1 { hasSeveralPaths = true }
    if isNew { nextTending = min(nextTending ?? now, now) }
    let actions = touch(peer, at: now)
    return count > 1 ? actions + choosePath(to: peer, at: now) : actions
  }

  /// Something, whatever it was, came from `peer`.
  mutating func touch(_ peer: PeerID, at now: HostInstant) -> [PeerAction] {
    election.touched(peer, at: now)
    let due = heartbeat.heard(peer, at: now)
    return due.isEmpty ? [] : due.flatMap { carryOut($0, at: now) }
  }
}
