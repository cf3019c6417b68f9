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
  }

  private var entries: [TakeID: Entry] = [:]
  private var turn = 0
  private var ownTurn = 0
  private var otherTurn = 0

  /// Begins without takes.
  public init() {}

  /// The takes that are known, the earliest first.
  public var takes: [TakeState] { entries.values.map(\.take).sorted(by: Self.isEarlier) }

  /// Takes note of what another host told, while this one is in `session`; whether that was news.
  ///
  /// Where there is no room the least wanted goes, be it the new one: what is kept follows from the
  /// takes alone, so that all hosts of a session come to keep the same.
  public mutating func heard(_ take: TakeState, in session: SessionID?) -> Bool {
    guard let known = entries[take.id] else { return insert(take, in: session) }
    // An id is drawn at random: the same one in another session is not the same take.
    guard known.take.session == take.session, known.take != take else { return false }
    let merged = known.take.merged(with: take)
    entries[take.id]?.take = merged
    return merged != known.take
  }

  /// Takes note of what this host's user told, and so knows already; whether that was news.
  public mutating func note(_ take: TakeState, in session: SessionID?) -> Bool {
    let isNews = heard(take, in: session)
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

  /// What the next heartbeat carries: the takes that are under way, the most wanted of them, and of
  /// all others one, each in its turn. Those of `session` come twice as often as those of others.
  public mutating func forHeartbeat(in session: SessionID?) -> [TakeState] {
    if entries.isEmpty { return [] }
    let all = entries.values.map(\.take).sorted { Self.isLessWanted($0, than: $1, in: session) }
    let running = all.filter { !$0.isStopped }
    if running.count == all.count, running.count <= HeartbeatMessage.mostTakes { return running }
    let carried = running.suffix(HeartbeatMessage.mostTakes - 1)
    let rest = all.filter { take in !carried.contains { $0.id == take.id } }
    let own = rest.filter { $0.session == session }
    let others = rest.filter { $0.session != session }
    turn += 1
    let isOthers = own.isEmpty || (!others.isEmpty && turn % 3 == 0)
    if isOthers { otherTurn += 1 } else { ownTurn += 1 }
    return carried + [isOthers ? others[otherTurn % others.count] : own[ownTurn % own.count]]
  }

  private mutating func insert(_ take: TakeState, in session: SessionID?) -> Bool {
    if entries.count >= Self.mostTakes {
      let least = entries.values.map(\.take).min { Self.isLessWanted($0, than: $1, in: session) }
      guard let least, Self.isLessWanted(least, than: take, in: session) else { return false }
      entries[least.id] = nil
    }
    entries[take.id] = Entry(take: take)
    return true
  }

  /// A take of another session is less wanted than one of this; of one session a stopped take is
  /// less wanted than one that is under way, and an older one than a newer.
  private static func isLessWanted(
    _ one: TakeState, than other: TakeState, in session: SessionID?
  ) -> Bool {
    let (isOwn, isOtherOwn) = (one.session == session, other.session == session)
    if isOwn != isOtherOwn { return isOtherOwn }
    if one.isStopped != other.isStopped { return one.isStopped }
    return isEarlier(one, other)
  }

  private static func isEarlier(_ one: TakeState, _ other: TakeState) -> Bool {
    (one.t0, one.id) < (other.t0, other.id)
  }
}
