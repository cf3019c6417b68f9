public import PeerCore
public import Units

// Commands and status.
extension PeerClock {
  /// The commands of other hosts, each once, with whoever sent it.
  public var commands: EventStream<(PeerID, Command)> { EventStream(life.topics.commands) }

  /// Sends a command to every other host that is there; it is repeated until it was taken, has
  /// expired, or the host is lost.
  public func broadcast(_ command: Command) async throws(PeerClockError) {
    try await life.service().broadcast(command)
  }

  /// Sends a command to one host.
  public func send(_ command: Command, to peer: PeerID) async throws(PeerClockError) {
    try await life.service().send(command, to: peer)
  }

  /// The status of each other host whenever it changes; first what is known now.
  public var statusUpdates: EventStream<PeerStatus> { EventStream(life.topics.statuses) }

  /// Tells all hosts, those that come later too, that this host's `key` has the value. May be
  /// called before the start.
  ///
  /// - Returns: whether it was taken: a key has 1 to 64 bytes of UTF-8, a value up to 16 KiB, and
  ///   a host up to 64 keys.
  @discardableResult
  public func setStatus(_ value: [UInt8], forKey key: String) async -> Bool {
    guard !key.isEmpty, key.utf8.count <= StatusMessage.longestKey,
      value.count <= StatusMessage.longestValue
    else { return false }
    return await life.setStatus(value, forKey: key)
  }

  /// Tells all hosts that this host's `key` has this text for its value.
  @discardableResult
  public func setStatus(_ text: String, forKey key: String) async -> Bool {
    await setStatus(Array(text.utf8), forKey: key)
  }

  /// Takes this host's `key` back.
  public func removeStatus(forKey key: String) async { await life.removeStatus(forKey: key) }

  /// What the host `peer` says of itself now, as far as is known.
  public func status(of peer: PeerID) async -> PeerStatus {
    guard let (service, _) = life.known else { return PeerStatus(peer: peer, entries: [:]) }
    return await service.status(of: peer)
  }

  /// Has the group go on in a new session, which begins now: ``now`` steps to its beginning on
  /// every host, as ``changes`` tells.
  ///
  /// - Throws: ``PeerClockError/refused(reason:)`` where this host is not the ``coordinator``, where
  ///   time is the system's, and while any host is armed or rolling.
  public func renewSession() async throws(PeerClockError) {
    try await life.service().renewSession(wall: ServiceMaker.wall())
  }

  /// Tells the others how busy this host is: a busy one keeps its session, and its time is
  /// measured more often.
  public func setActivity(_ activity: Activity) async {
    if let (service, _) = life.known { await service.setActivity(activity) }
  }
}

// Takes.
extension PeerClock {
  /// Tells all hosts of a take: that it is to begin, or that it is stopped. Every heartbeat carries
  /// it from now on, so that hosts that were cut off, or come hours later, learn it too.
  ///
  /// What hosts know is merged: the earliest beginning, stopped where anybody stopped it, the
  /// latest end.
  public func noteTake(_ take: TakeState) async {
    if let (service, _) = life.known { await service.noteTake(take) }
  }

  /// The takes of the session, each as soon as it can be read on this host's timeline and each time
  /// that another host knew more of it; first those that are known already. A take that this
  /// host told of itself comes only when others knew it otherwise.
  public var takes: EventStream<TakeState> { EventStream(life.topics.takes) }
}

// Doing things at one moment.
extension PeerClock {
  /// Has `action` done when ``now`` reads `instant`: on Swift's shared pool, at once where that
  /// has passed already.
  public func schedule(
    atSyncedTime instant: UInt64, _ action: @escaping @Sendable () async -> Void
  ) async throws(PeerClockError) -> ScheduledAction {
    guard let instant = Int64(exactly: instant).flatMap(SharedInstant.init(checking:)) else {
      throw .refused(reason: "shared time lies within 2^62 ns")
    }
    let service = try await life.service()
    return ScheduledAction(service: service, id: try await service.schedule(at: instant, action))
  }
}

/// Something that is to be done at a shared time.
public struct ScheduledAction: Sendable {
  let service: PeerClockService
  let id: AgendaID

  /// Has it not done after all. Once it began this has no effect.
  public func cancel() async { await service.cancel(id) }
}
