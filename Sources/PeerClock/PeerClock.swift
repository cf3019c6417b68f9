internal import PeerCore
public import Units

/// A clock that all hosts of a group share, and the talk between them.
///
/// Clocks of one group find each other, choose one whose time the others follow, and go on when
/// any of them leaves. Every one may command all, tell of itself, and have things done at one
/// moment everywhere.
///
///     let clock = PeerClock()
///     try await clock.start()
///     print(clock.now)
///
/// A clock is started once and stopped once. All of it may be used from any task and thread.
public final class PeerClock: Sendable {
  let life: ClockLife

  /// Makes a clock, which does nothing until it is started.
  ///
  /// - Parameter transportFactory: makes what carries the bytes; nothing: the network.
  public init(
    configuration: PeerClockConfiguration = PeerClockConfiguration(),
    transportFactory: TransportFactory? = nil
  ) {
    life = ClockLife(
      configuration: configuration,
      transportFactory: transportFactory ?? { _ in
        NetworkTransport(configuration: configuration)
      })
  }

  deinit { life.stop() }

  /// Joins the group, and returns once ``now`` may be read: within a second where nobody else is
  /// there, in about two where others are. Where time is the system's, at once.
  ///
  /// Whoever calls it on a running clock waits for the same.
  ///
  /// - Throws: ``PeerClockError``, whose description is a sentence for the user.
  public func start() async throws(PeerClockError) { try await life.start() }

  /// Leaves the group. Streams end, waiting calls return, and ``now`` goes on by what was known
  /// last. May be called twice, and before the start.
  public func stop() { life.stop() }

  /// Leaves the group as ``stop()`` does, and returns when ports and state directory are free.
  public func finish() async { await life.finish() }
}

// Time.
extension PeerClock {
  /// Session time in nanoseconds, the same on all hosts; a session begins at 86,400 s. Each
  /// reading is greater than the one before, but for the rare steps that ``changes`` tells of.
  ///
  /// 0 before the clock was started.
  public var now: UInt64 { UInt64(clamping: life.readout.now()?.nanoseconds ?? 0) }

  /// Session time now; nothing before the clock was started, and while a host that has moved to
  /// another session has not measured it yet.
  public var sharedNow: SharedInstant? { life.readout.now() }

  /// The best that is known of shared time, from this host's clock: for cuts and logs, where
  /// ``now`` is for people and schedules.
  public var map: ClockMap? { life.readout.contents.clock?.map }

  /// The session in which the host takes part.
  public var session: Session? { life.readout.contents.clock?.session }

  /// Host time and shared time of one moment.
  public var pair: (host: HostInstant, shared: SharedInstant)? { life.readout.pair() }
}

// Who is there.
extension PeerClock {
  /// This host's own id; nothing before the clock was started.
  public var localPeer: PeerID? { life.localPeer }

  /// Whose clock is followed, be it this host's own; nothing while nobody's is.
  public var coordinator: PeerID? { life.readout.contents.coordinator }

  /// The other hosts as they are now.
  public var currentPeers: [Peer] { life.readout.contents.peers }

  /// The other hosts, each time that somebody comes, goes or changes; first as they are now.
  public var peers: EventStream<[Peer]> { EventStream(life.topics.peers) }

  /// Who was connected, fell silent or was lost.
  public var connectionEvents: EventStream<ConnectionEvent> { EventStream(life.topics.connections) }

  /// Changes of the shared time itself, and notes for a log.
  public var changes: EventStream<ClockChange> { EventStream(life.topics.changes) }

  /// The exchanges with the coordinator, as evidence for a log.
  public var exchanges: EventStream<ClockExchange> { EventStream(life.topics.exchanges) }

  /// How others find this clock, once it runs.
  public func endpoint() async throws(PeerClockError) -> ClockEndpoint {
    try await life.service().endpoint(isOnNetwork: life.isOnNetwork)
  }

  /// Looks for a peer at a place that somebody told of, now and with each beacon until it is known.
  /// The last 64 such places are looked at.
  public func look(at place: PeerClockConfiguration.Seed) async throws(PeerClockError) {
    let path = try PathAddress(place)
    await (try life.service()).look(at: path)
  }

  /// How well the clock is doing.
  public func diagnostics() async -> ClockDiagnostics {
    guard let (service, peer) = life.known else { return ClockDiagnostics() }
    return await service.diagnostics(of: peer)
  }
}
