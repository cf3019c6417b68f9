public import Units

/// What a node wants done. Its shell does it, in order.
///
/// What is long and seldom is kept apart (`indirect`), since every turn makes some of these.
public enum PeerAction: Hashable, Sendable {
  /// Send a datagram. With a token: say when it left, if the kernel tells.
  case send([UInt8], to: PathAddress, token: SendToken?)
  /// Send a datagram to the multicast group on one of the network's channels, counted from 0: an
  /// interface and a family of addresses each.
  case multicast([UInt8], channel: Int)
  /// Open a reliable link to the peer at this place.
  case dial(PeerID, PathAddress)
  /// Close whatever reliable link there is to the peer: it is of a run that has ended.
  case hangUp(PeerID)
  /// Send a message on the peer's reliable link.
  indirect case sendReliable(PeerID, Message)

  /// A command arrived, for the first and only time.
  indirect case deliver(CommandMessage, from: PeerID)
  /// The peer has taken a command of ours.
  case acknowledged(CommandID, by: PeerID)
  /// A command of ours never reached the peer, as far as is known.
  case abandoned(CommandID, to: PeerID, reason: CommandFailure)
  /// A scheduled action is due.
  case fire(AgendaID)

  /// Somebody came, went or changed.
  case peersChanged
  case connection(PeerID, Liveness)
  /// The peer's status board is another.
  case statusChanged(PeerID)
  /// Who keeps the time: nobody where this host holds over alone.
  case coordinatorChanged(PeerID?)
  /// A take of this session became known, or begins earlier or ends otherwise than was known.
  indirect case take(TakeState)
  /// The timeline is another one, or readings of it may have stepped.
  indirect case sessionChanged(Session, generation: UInt32)
  /// How the time of a session that was left, or is kept beside another, leads to that one's.
  indirect case sessionsCompared(SessionLink)
  /// An exchange with the coordinator, for the log.
  case exchange(SyncExchange, coordinator: PeerID)
  /// Read the wall clock, and give it to ``PeerNode/take(_:at:)``.
  case readSystemTime
  /// Go on under another id: keep it, close all links, and go on with ``PeerNode/rekeyed(as:at:)``.
  case rekey(PeerID)
  /// Keep this for the next run.
  indirect case persist(StoredTime)
  /// Something to be logged.
  indirect case note(PeerNote)
}

/// Why a command was given up.
public enum CommandFailure: UInt8, Hashable, Sendable {
  /// Its time had passed before the peer took it.
  case expired
  /// The peer was lost, or started anew.
  case peerLost
}

/// Which scheduled action: chosen by whoever schedules it.
public struct AgendaID: Hashable, Comparable, Sendable {
  public let value: UInt64

  /// Makes the id `value`.
  public init(value: UInt64) { self.value = value }

  public static func < (one: AgendaID, other: AgendaID) -> Bool { one.value < other.value }
}

/// Something that happened and that a log should hold.
public enum PeerNote: Hashable, Sendable {
  /// Someone else lives under this host's id: a copied state directory.
  case twin(Incarnation, at: PathAddress)
  /// This host was given another id, since a twin lives under the former one.
  case rekeyed(former: PeerID, now: PeerID)
  /// The peer lives anew.
  case restarted(PeerID)
  /// A datagram was refused; said once for each place and reason.
  case refused(WireRefusal, from: PathAddress)
  /// A run of a peer could not be taken in because the table is full.
  case tableFull(PeerID)
  /// The estimator began anew, and why.
  case resynchronized(reason: String)
  /// What was kept of time holds: the session goes on after a gap, and what the bound is by that.
  case resumed(SessionID, gap: Duration, boundNanoseconds: Int64)
  /// A session was kept, but this host's clock has begun anew since, or stood still.
  case mapVoid(SessionID)
  /// The host has slept: what it knew of time is void.
  case slept
  /// The peer's session is another and this host, being busy, keeps its own.
  case sessionKept(own: SessionID, other: SessionID)
  /// Of the wall clock that time comes from.
  case systemTime(SystemTimeline.Event)
  /// Another path to the peer is used now, and why.
  case pathChanged(PeerID, PathAddress, PathTable.Change)
}

extension PeerNote: CustomStringConvertible {
  public var description: String {
    switch self {
    case .twin(let incarnation, let path):
      "another host lives under this host's id (run \(incarnation), \(path)): was the "
        + "state directory copied?"
    case .rekeyed(let former, let now):
      "this host is \(now.short) from now on, and was \(former.short): its twin keeps that id"
    case .restarted(let peer): "\(peer.short) has started anew"
    case .refused(let refusal, let path):
      "a datagram from \(path) was refused: "
        + refusal.word.split(separator: "_").joined(separator: " ")
    case .tableFull(let peer): "\(peer.short) was not taken in: too many peers"
    case .resumed(let session, let gap, let bound):
      "session \(session.short) is taken up again after \((gap.inSeconds * 10).rounded() / 10) s; the gap makes "
        + "shared time uncertain by \(bound / 1000) us"
    case .mapVoid(let session):
      "the way to the time of session \(session.short) is void, since this host was restarted or "
        + "has slept; the others are asked"
    case .slept: "this host has slept, and its clock with it: shared time is measured anew"
    case .resynchronized(let reason): "measuring time anew: \(reason)"
    case .sessionKept(let own, let other):
      "the coordinator's session is \(other.short); this host is busy and keeps \(own.short)"
    case .systemTime(let event): event.description
    case .pathChanged(let peer, let path, let change):
      "\(peer.short) is reached at \(path) on interface \(path.interface) now: "
        + (change == .failed ? "the way before has fallen silent" : "it is the better way")
    }
  }
}
