public import Units

/// The takes that a host knows of, each as all who told of it know it together.
///
/// A take is announced once it can be read on this host's timeline, and again each time that it
/// becomes another: begins earlier, is stopped, or ends later.
public struct TakeLedger: Sendable {
  /// The most takes that are remembered.
  static let mostTakes = 16

  private struct Entry: Sendable {
    var take: TakeState
    /// What the host's user knows of it.
    var announced: TakeState?
    /// Counts the takes as they became known: the least is the oldest acquaintance.
    let number: UInt64
  }

  private var entries: [TakeID: Entry] = [:]
  private var lastNumber: UInt64 = 0
  private var turn = 0
  private var ownTurn = 0
  private var otherTurn = 0

  /// Begins without takes.
  public init() {}

  /// The takes that are known, the earliest first.
  public var takes: [TakeState] { entries.values.map(\.take).sorted(by: Self.isEarlier) }

  /// Takes note of what another host told; whether that was news.
  public mutating func heard(_ take: TakeState) -> Bool {
    guard let known = entries[take.id] else {
      insert(take)
      return true
    }
    // An id is drawn at random: the same one in another session is not the same take.
    guard known.take.session == take.session else { return false }
    let merged = known.take.merged(with: take)
    entries[take.id]?.take = merged
    return merged != known.take
  }

  /// Takes note of what this host's user told, and so knows already; whether that was news.
  public mutating func note(_ take: TakeState) -> Bool {
    let isNews = heard(take)
    if let known = entries[take.id]?.take, known == take { entries[take.id]?.announced = take }
    return isNews
  }

  /// The takes of `session` that the host's user does not know yet as they are now.
  public mutating func announcements(in session: SessionID?) -> [TakeState] {
    let news = entries.values.filter { $0.take.session == session && $0.announced != $0.take }
      .map(\.take).sorted(by: Self.isEarlier)
    for take in news { entries[take.id]?.announced = take }
    return news
  }

  /// What the next heartbeat carries: the latest takes that are under way, and of those that are
  /// stopped one, each in its turn. Those of `session` come twice as often as all the others.
  public mutating func forHeartbeat(in session: SessionID?) -> [TakeState] {
    let all = takes
    let stopped = all.filter(\.isStopped)
    let running = all.filter { !$0.isStopped }
      .suffix(HeartbeatMessage.mostTakes - (stopped.isEmpty ? 0 : 1))
    guard !stopped.isEmpty else { return Array(running) }
    turn += 1
    let own = stopped.filter { $0.session == session }
    let others = stopped.filter { $0.session != session }
    let isOthers = own.isEmpty || (!others.isEmpty && turn % 3 == 0)
    if isOthers { otherTurn += 1 } else { ownTurn += 1 }
    return running + [isOthers ? others[otherTurn % others.count] : own[ownTurn % own.count]]
  }

  private mutating func insert(_ take: TakeState) {
    if entries.count >= Self.mostTakes, let oldest = leastWanted { entries[oldest] = nil }
    lastNumber += 1
    entries[take.id] = Entry(take: take, number: lastNumber)
  }

  /// A stopped take goes before one that is under way, and an older one before a newer.
  private var leastWanted: TakeID? {
    entries.values.min {
      let order = ($0.take.isStopped ? 0 : 1, $1.take.isStopped ? 0 : 1)
      return order.0 != order.1 ? order.0 < order.1 : $0.number < $1.number
    }?.take.id
  }

  private static func isEarlier(_ one: TakeState, _ other: TakeState) -> Bool {
    (one.t0, one.id) < (other.t0, other.id)
  }
}
