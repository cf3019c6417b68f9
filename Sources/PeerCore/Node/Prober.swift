public import Units

/// Sends probes to the coordinator and makes exchanges of the replies.
///
/// A reply arrives before the kernel's stamp of its departure is known at the other end, so that it
/// waits here for a later one which carries it. Where none of them do, the other end has no such
/// stamps and the program's own must serve.
public struct Prober: Sendable {
  /// The most probes without a reply, and replies without a stamp, that are kept.
  static let mostOpen = 64
  /// The longest time after which a reply or its stamp is still of use.
  static let longestWait = Duration.seconds(2)

  /// After how many later replies stamps are not waited for that never came before, and after how
  /// many a reply whose stamp did not come is given up.
  static let patience = 2
  static let mostLater = 16

  private struct Sent: Sendable {
    let id: UInt32
    let token: UInt64
    let user: HostInstant
    var stamp: HostInstant
    var kind = StampKind.userSpace
    /// Whether its stamp is the final one.
    var isFinal = false
    /// Whether it was counted as lost.
    var isLost = false

    mutating func left(at instant: HostInstant, _ kind: StampKind) {
      guard Prober.isPlausible(instant, sent: user) else { return }
      (stamp, self.kind, isFinal) = (instant, kind, true)
    }
  }

  private struct Open: Sendable {
    var sent: Sent
    let reply: ProbeReply
    let stamp: HostInstant
    let kind: StampKind
    /// When the reply left, as a later one told.
    var left: ProbeReply.TransmitStamp?
    /// How many replies came after this one.
    var later = 0
  }

  private var schedule: ProbeSchedule
  private var target: PeerID?
  private var sent: [Sent] = []
  private var open: [Open] = []
  private var nextID: UInt32 = 0
  /// What became of the probes to the present target.
  public private(set) var loss = ProbeLoss()
  /// The probe sent last.
  private var newest: UInt32?
  /// Whether the present target was seen to give the kernel's stamps.
  private var isStamped = false

  /// Makes a prober without a target; `interval` fixes the distance of its bursts.
  public init(interval: Duration?, at now: HostInstant) {
    schedule = ProbeSchedule(interval: interval, at: now)
  }

  /// When the next probe is due; nothing without a target.
  public var nextProbe: HostInstant? { target == nil ? nil : schedule.nextProbe }

  /// Probes `peer` from now on, with a burst at first; or nobody.
  public mutating func aim(at peer: PeerID?, now: HostInstant) {
    guard peer != target else { return }
    target = peer
    sent = []
    open = []
    isStamped = false
    loss = ProbeLoss()
    schedule.restart(at: now)
  }

  /// Begins with a burst again: something has jumped.
  public mutating func restart(at now: HostInstant) { schedule.restart(at: now) }

  /// Begins with a burst again on another path: replies on the one before count no more.
  public mutating func pathChanged(at now: HostInstant) {
    sent = []
    open = []
    schedule.restart(at: now)
  }

  /// Goes back to frequent bursts: time came out otherwise than expected.
  public mutating func hasten(at now: HostInstant) { schedule.hasten(at: now) }

  /// Takes note of how well the path's floors are known: see ``OffsetEstimate``.
  public mutating func learn(floorScale: Duration) { schedule.learn(floorScale: floorScale) }

  /// Takes note of who stamps what comes, at the worse end.
  public mutating func learn(receptionBy kind: StampKind) { schedule.learn(receptionBy: kind) }

  /// Goes fast while a take is armed or rolling.
  public mutating func setFast(_ fast: Bool, at now: HostInstant) {
    schedule.setFast(fast, at: now)
  }

  /// The probe to send to the target at `now` under `token`, if one is due.
  public mutating func takeDue(
    at now: HostInstant, token: UInt64, jitter: Double
  ) -> (peer: PeerID, probe: Probe)? {
    guard let target, schedule.nextProbe <= now else { return nil }
    schedule.sent(at: now, jitter: jitter)
    let probe = nextProbe(at: now)
    countLost(at: now)
    if sent.count >= Self.mostOpen { sent.removeFirst() }
    newest = probe.id
    sent.append(Sent(id: probe.id, token: token, user: now, stamp: now))
    return (target, probe)
  }

  /// A probe without a reply for so long that it would be of no use any more is lost.
  private mutating func countLost(at now: HostInstant) {
    for place in sent.indices where !sent[place].isLost {
      guard sent[place].user + Self.longestWait <= now else { return }
      sent[place].isLost = true
      loss.note(isLost: true)
    }
  }

  /// A probe that only asks whether somebody lives: no exchange is made of its reply.
  public mutating func nextProbe(at now: HostInstant) -> Probe {
    nextID &+= 1
    return Probe(id: nextID, transmit: now)
  }

  /// Takes in when the datagram of `token` left.
  public mutating func transmitted(_ token: UInt64, stamp: HostInstant, kind: StampKind) {
    if let place = sent.firstIndex(where: { $0.token == token }) {
      sent[place].left(at: stamp, kind)
    } else if let place = open.firstIndex(where: { $0.sent.token == token }) {
      open[place].sent.left(at: stamp, kind)
    }
  }

  /// Takes in a reply of `peer` that arrived at `stamp`; the exchanges that it completes, in the
  /// order in which they took place.
  public mutating func received(
    _ reply: ProbeReply, from peer: PeerID, stamp: HostInstant, kind: StampKind
  ) -> [SyncExchange] {
    guard peer == target else { return [] }
    if !reply.stamps.isEmpty { isStamped = true }
    for place in open.indices {
      open[place].later += 1
      let id = open[place].reply.id
      open[place].left = open[place].left ?? reply.stamps.first { $0.probe == id }
    }
    var exchanges: [SyncExchange] = []
    let isStamped = isStamped
    open.removeAll { waiting in
      if let exchange = Self.exchange(of: waiting, isStamped: isStamped) {
        exchanges.append(exchange)
        return true
      }
      return stamp - waiting.stamp > Self.longestWait || waiting.later > Self.mostLater
    }
    if let place = sent.firstIndex(where: { $0.id == reply.id && $0.user == reply.echoedTransmit })
    {
      let probe = sent.remove(at: place)
      if !probe.isLost { loss.note(isLost: false) }
      if probe.id == newest { schedule.answered(after: stamp - probe.user, at: stamp) }
      if stamp - probe.user <= Self.longestWait {
        if open.count >= Self.mostOpen { open.removeFirst() }
        open.append(Open(sent: probe, reply: reply, stamp: stamp, kind: kind))
      }
    }
    return exchanges
  }

  /// Whether a datagram handed over at `sent` can have left at `stamp`: a stamp that was matched
  /// to the wrong datagram is worse than none.
  static func isPlausible(_ stamp: HostInstant, sent: HostInstant) -> Bool {
    stamp >= sent && stamp <= sent + .milliseconds(50)
  }

  /// The exchange of an answered probe, once both departures are known, or will not be.
  private static func exchange(of open: Open, isStamped: Bool) -> SyncExchange? {
    guard open.sent.isFinal || open.later >= patience else { return nil }
    if let left = open.left { return exchange(open, transmit: left.instant, kind: left.kind) }
    guard !isStamped, open.later >= patience else { return nil }
    return exchange(open, transmit: open.reply.transmit, kind: .userSpace)
  }

  private static func exchange(
    _ open: Open, transmit: HostInstant, kind: StampKind
  ) -> SyncExchange {
    func worse(_ one: StampKind, _ other: StampKind) -> StampKind {
      one.rawValue > other.rawValue ? one : other
    }
    return SyncExchange(
      t1: open.sent.stamp, t2: open.reply.receive, t3: transmit, t4: open.stamp,
      receiveKind: worse(open.reply.receiveKind, open.kind),
      transmitKind: worse(open.sent.kind, kind))
  }
}
