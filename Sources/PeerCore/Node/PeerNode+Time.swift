public import Units

extension PeerNode {
  /// Answers a probe. The reply is as long as the probe, so that both take as long on the wire.
  mutating func reply(
    to probe: Probe, of peer: PeerID, datagram: ReceivedDatagram, at now: HostInstant
  ) -> PeerAction {
    let token = nextToken()
    let stamps = replyStamps.stamps(for: peer)
    replyStamps.sending(token.value, to: peer, probe: probe.id, at: now)
    let reply = ProbeReply(
      id: probe.id, echoedTransmit: probe.transmit, receive: datagram.stamp,
      receiveKind: datagram.stampKind, transmit: now, stamps: stamps, term: election.term,
      map: clockMap)
    return unicast(.probeReply(reply), to: datagram.path, token: token)
  }

  /// Takes in an exchange with the coordinator.
  mutating func take(
    _ exchange: SyncExchange, map: ClockMap?, from peer: PeerID, at now: HostInstant
  ) -> [PeerAction] {
    guard election.role == .following(peer) else { return [] }
    var events = time.add(exchange, map: map, activity: activity, at: now)
    events += time.recoverBesideOthers(wall: wall, at: now)
    prober.learn(receptionBy: exchange.receiveKind)
    if let scale = time.estimate?.floorScaleNanoseconds {
      prober.learn(floorScale: .nanoseconds(scale))
    }
    election.candidacy.grade = TimeGrade(clockMap, at: now)
    var actions = [PeerAction.exchange(exchange, coordinator: peer)]
    for event in events { actions += report(event, at: now) }
    return actions
  }

  /// Does what comes with the role that the election has given.
  mutating func assumeRole(at now: HostInstant) -> [PeerAction] {
    var actions: [PeerAction] = []
    let before = lastCoordinator
    switch election.role {
    case .following(let peer):
      if let run = run(of: peer) {
        time.follow(run, leadingSince: leadingSince(peer, at: now), at: now)
      } else {
        time.giveWay(at: now)
      }
      time.heard(peersByID[peer]?.heartbeat?.session, from: peer, at: now)
      prober.aim(at: peer, now: now)
    case .leading:
      prober.aim(at: nil, now: now)
      if before != me {
        heartbeat.insist(Self.announcements, at: now)
        let events = time.lead(wall: wall, activity: activity, generator: &generator, at: now)
        actions += events.flatMap { report($0, at: now) }
      }
    case .forming, .holding:
      prober.aim(at: nil, now: now)
      time.holdOver(at: now)
    }
    lastCoordinator = election.coordinator
    election.candidacy.grade = TimeGrade(clockMap, at: now)
    heartbeat.hasten(at: now)
    if lastCoordinator != before {
      actions.append(.coordinatorChanged(lastCoordinator))
      persistPause = Self.firstPersistPause
      actions += persist(at: now)
    }
    return actions
  }

  /// How often a new coordinator says so besides, and whoever hears none any more: of five heartbeats
  /// in a third of a second one gets through, though 30 of 100 packets be lost.
  static let announcements = 4

  /// Since when `peer` has led, or up to a second before, as far as its heartbeat tells.
  private func leadingSince(_ peer: PeerID, at now: HostInstant) -> HostInstant {
    now - .seconds(Int64(peersByID[peer]?.heartbeat?.tenureSeconds ?? 0))
  }

  /// Takes in a reading of the wall clock, which ``PeerAction/readSystemTime`` asked for.
  public mutating func take(_ reading: SystemTimeReading, at now: HostInstant) -> [PeerAction] {
    let events = time.add(reading, activity: activity, at: now)
    election.candidacy.grade = TimeGrade(clockMap, at: now)
    return events.flatMap { report($0, at: now) }
  }

  /// Asks for a reading of the wall clock when it is time for one.
  mutating func askForSystemTime(at now: HostInstant) -> [PeerAction] {
    guard let next = nextSystemReading, now >= next else { return [] }
    nextSystemReading = now + SystemTimeline.interval
    return [.readSystemTime]
  }

  /// Has the group go on in a new session, which begins now: the others adopt it.
  ///
  /// - Parameter wall: what the wall clock says now, which anchors the session.
  /// - Throws: ``PeerNodeError`` where this host does not keep the time, where time is the system's,
  ///   and where this host or another is armed or rolling.
  public mutating func renewSession(
    wall: WallReading, at now: HostInstant
  ) throws(PeerNodeError) -> [PeerAction] {
    guard configuration.systemTime == nil else { throw .timeIsTheSystems }
    guard case .leading = election.role else { throw .notCoordinator }
    if activity != .idle { throw .busy(me) }
    let busy = peersByID.keys.sorted().first { peer in
      heartbeat.liveness(of: peer) != .disconnected
        && (peersByID[peer]?.heartbeat?.activity ?? .idle) != .idle
    }
    if let busy { throw .busy(busy) }
    let events = time.renew(wall: wall, generator: &generator, at: now)
    return events.flatMap { report($0, at: now) }
  }

  /// Keeps the map's bound true: to how long the coordinator has been silent; while this host leads,
  /// to what it hears of the others.
  mutating func tendTime(at now: HostInstant) {
    time.rest(at: now, isForSure: false)
    guard case .leading = election.role else { return }
    time.tend(
      followedUntil: election.followedUntil,
      partedSince: election.partedSince(at: now, memory: configuration.policy.forgetAfter),
      isFree: activity == .idle && election.standing(at: now).rollingCount == 0
        && !isAnybodyArmed, at: now)
  }

  private var isAnybodyArmed: Bool {
    peersByID.contains { peer, known in
      known.heartbeat?.activity ?? .idle != .idle && heartbeat.liveness(of: peer) == .connected
    }
  }

  /// Which run of `peer` is the one that lives, this host's own included; nothing where it is not known.
  public func run(of peer: PeerID) -> PeerRun? {
    if peer == me { return PeerRun(peer: me, incarnation: configuration.incarnation) }
    return peersByID[peer].map { PeerRun(peer: peer, incarnation: $0.incarnation) }
  }

  /// Takes note that the host has slept: its clock stood still, and shared time did not. The map is
  /// void; the host listens first, since another may lead by now, and then measures anew.
  ///
  /// - Parameter wall: what the wall clock says now, which went on meanwhile.
  public mutating func hostSlept(wall: WallReading, at now: HostInstant) -> [PeerAction] {
    lastNow = max(lastNow, now)
    self.wall = wall
    time.slept(at: now)
    prober.restart(at: now)
    election.candidacy.grade = TimeGrade(clockMap, at: now)
    election.slept(at: now)
    beacons.hasten(at: now)
    let doubts = heartbeat.suspectAll().flatMap { carryOut($0, at: now) }
    return [.note(.slept)] + doubts + assumeRole(at: now)
  }

  /// Has time measured anew at once: the host's clocks have jumped.
  public mutating func restartMeasuring(reason: String, at now: HostInstant) -> [PeerAction] {
    time.restart(at: now)
    prober.restart(at: now)
    return [.note(.resynchronized(reason: reason))]
  }

  /// The state of synchronization at `now`, for whoever reports it.
  public func syncStatus(at now: HostInstant) -> SyncStatus {
    let estimate = time.lastEstimate
    let disagreement = time.disagreement(at: now)
    return SyncStatus(
      coordinator: coordinator, isCoordinator: coordinator == me, map: clockMap,
      offset: time.offset(at: now), skew: estimate?.skew,
      floorRoundTripNanoseconds: estimate?.floorRoundTripNanoseconds,
      stampKind: estimate?.stampKind, lastExchange: estimate?.lastExchange,
      exchangeCount: estimate?.exchangeCount ?? 0, loss: prober.loss.share,
      isOnSystemTime: time.isOnSystemTime,
      disagreementNanoseconds: disagreement?.nanoseconds,
      disagreementBoundNanoseconds: disagreement?.boundNanoseconds)
  }

  mutating func persist(at now: HostInstant) -> [PeerAction] {
    // What was learned in the first seconds is worth keeping soon: it is still coarse then.
    nextPersist = now + persistPause
    persistPause = min(persistPause * 2, configuration.policy.persistInterval)
    time.noteRate()
    guard clockMap != nil, let stored = storedTime else { return [] }
    return [.persist(stored)]
  }

  /// What is to be kept for the next run; nothing before there is a session.
  public var storedTime: StoredTime? {
    session.map {
      StoredTime(session: $0, map: time.clock.keptMap(at: lastNow), rates: time.rates)
    }
  }

  private mutating func report(_ event: TimeKeeper.Event, at now: HostInstant) -> [PeerAction] {
    switch event {
    case .sessionChanged(let session, let generation):
      heartbeat.hasten(at: now)
      persistPause = Self.firstPersistPause
      return [.sessionChanged(session, generation: generation)] + persist(at: now)
        + announceTakes()
    case .restarted(let reason):
      prober.restart(at: now)
      return [.note(.resynchronized(reason: "\(reason)"))]
    case .surprised:
      prober.hasten(at: now)
      return []
    case .compared(let link): return [.sessionsCompared(link)]
    case .system(let event): return [.note(.systemTime(event))]
    case .sessionKept(let own, let other):
      return [.note(.sessionKept(own: own, other: other))]
    }
  }
}
