public import Units

/// Decides who keeps the time.
///
///     forming --(a coordinator is heard)--------------------------> following
///     forming --(none is, and no better candidate claims)---------> leading
///     following --(coordinator silent, nobody hears it)-----------> leading | following | holding
///     leading --(a higher term with a better standing)------------> following
///     holding --(somebody is heard again)-------------------------> following | leading
///
/// The incumbent stays while it lives. A host that hears nobody holds over and raises no term.
public struct Election: Sendable {
  /// What this host is.
  public enum Role: Hashable, Sendable {
    case forming
    case following(PeerID)
    case leading(since: HostInstant)
    case holding
  }

  /// What this host brings along.
  public struct Candidacy: Hashable, Sendable {
    /// How well it knows shared time.
    public var grade: TimeGrade
    public var activity: Activity

    /// Makes a candidacy.
    public init(grade: TimeGrade, activity: Activity) {
      self.grade = grade
      self.activity = activity
    }
  }

  struct Voice: Sendable {
    var claim: Claim
    /// When the claim came; later things heard do not make it younger.
    let claimed: HostInstant
    var lastHeard: HostInstant
    /// Whether `peer`, whose voice it is, leads. Who led, slept and listens again still tells the
    /// term that it obeys, and that it hears no coordinator.
    func isLeading(_ peer: PeerID) -> Bool {
      claim.term?.peer == peer && claim.hearsCoordinator
    }
  }

  let me: PeerID
  let policy: ElectionPolicy
  public private(set) var role: Role = .forming
  /// The term that this host obeys, or its own.
  public private(set) var term: Term?
  /// Set by the node as it changes.
  public var candidacy: Candidacy
  var voices: [PeerID: Voice] = [:]
  /// Until then this host listens: it neither begins to lead nor raises its term.
  private var listeningUntil: HostInstant
  /// When this host last did anything at all.
  private var lastAwake: HostInstant
  /// Since when there is a vacancy that a better candidate should fill.
  private var vacancySince: HostInstant?
  /// Since when somebody's term exceeds that of the coordinator which this host follows.
  private var contestedSince: HostInstant?
  /// While this host leads: when somebody who follows it was last heard.
  public private(set) var followedUntil: HostInstant?
  /// When this host last raised its term against each rival.
  private var raisedAgainst: [PeerID: HostInstant] = [:]

  /// Begins at `now`, listening.
  public init(
    me: PeerID, policy: ElectionPolicy = ElectionPolicy(), candidacy: Candidacy, at now: HostInstant
  ) {
    self.me = me
    self.policy = policy
    self.candidacy = candidacy
    listeningUntil = now + policy.settle
    lastAwake = now
  }

  /// Who keeps the time, as far as this host knows.
  public var coordinator: PeerID? {
    switch role {
    case .forming, .holding: nil
    case .following(let peer): peer
    case .leading: me
    }
  }

  /// Whether the coordinator is this host, or was heard lately.
  public func hearsCoordinator(at now: HostInstant) -> Bool {
    switch role {
    case .forming, .holding: false
    case .leading: true
    case .following(let peer):
      isLive(peer, at: now) && (voices[peer]?.isLeading(peer) ?? false)
    }
  }

  /// How this host would stand against another coordinator.
  public func standing(at now: HostInstant) -> Standing {
    // Whoever obeys the same coordinator is of its side, also where it has not heard yet that the
    // coordinator raised its term.
    let side = voices.filter {
      $0.value.claimed + policy.coordinatorSilence > now
        && $0.value.claim.term?.peer == term?.peer
    }
    let rolling = side.values.count { $0.claim.activity == .rolling }
    var tenure: UInt32 = 0
    if case .leading(let since) = role {
      tenure = UInt32(clamping: (now.nanoseconds - since.nanoseconds) / 1_000_000_000)
    }
    return Standing(
      grade: candidacy.grade,
      rollingCount: UInt16(clamping: rolling + (candidacy.activity == .rolling ? 1 : 0)),
      hostCount: UInt16(clamping: side.count + 1), tenureSeconds: tenure, peer: me)
  }

  /// Since when another may lead elsewhere: more of those who followed this host are lost than are
  /// left. Nothing while that is not so, and for those who were lost longer than `memory` ago.
  public func partedSince(at now: HostInstant, memory: Duration) -> HostInstant? {
    guard case .leading = role else { return nil }
    let followers = voices.values.filter { $0.claim.term == term }
    let lost = followers.filter {
      !isLive($0, at: now) && $0.lastHeard + memory > now
    }
    guard lost.count > followers.count(where: { isLive($0, at: now) }) + 1 else { return nil }
    return lost.map(\.lastHeard).min()
  }

  /// Takes in a heartbeat's claim; whether role or term changed.
  public mutating func heard(_ claim: Claim, from peer: PeerID, at now: HostInstant) -> Bool {
    noticeAbsence(at: now)
    voices[peer] = Voice(claim: claim, claimed: now, lastHeard: now)
    // Who was away for a while finds old claims first.
    if case .leading = role, claim.term == term, now >= listeningUntil { followedUntil = now }
    return advance(to: now)
  }

  /// Takes note that something else was heard from `peer`.
  public mutating func touched(_ peer: PeerID, at now: HostInstant) {
    noticeAbsence(at: now)
    voices[peer]?.lastHeard = now
  }

  /// Takes note that what `peer` claimed is void: it is gone, or lives anew.
  public mutating func forget(_ peer: PeerID, at now: HostInstant) -> Bool {
    voices[peer] = nil
    raisedAgainst[peer] = nil
    return advance(to: now)
  }

  /// Brings the decision up to `now`; whether role or term changed.
  public mutating func advance(to now: HostInstant) -> Bool {
    noticeAbsence(at: now)
    let before = (role, term)
    switch role {
    case .forming: form(at: now)
    case .following(let coordinator): follow(coordinator, at: now)
    case .leading: lead(at: now)
    case .holding: hold(at: now)
    }
    return before != (role, term)
  }

  /// The earliest time at which ``advance(to:)`` may decide something new by itself.
  public func nextWakeup(after now: HostInstant) -> HostInstant {
    var candidates: [HostInstant] = voices.values.map { $0.lastHeard + policy.coordinatorSilence }
    candidates.append(listeningUntil)
    if let contestedSince {
      candidates += [contestedSince + policy.loyalty, contestedSince + policy.loyalty * 2]
    }
    if let vacancySince {
      let rank = rank(at: now)
      candidates.append(vacancySince + policy.patience * rank)
    }
    return candidates.filter { $0 > now }.min() ?? now + .seconds(1)
  }
}

extension Election {
  /// A host that was stopped for so long may have been replaced meanwhile, and finds first what was
  /// true before: it listens again before it claims anything.
  private mutating func noticeAbsence(at now: HostInstant) {
    defer { lastAwake = max(lastAwake, now) }
    guard now > lastAwake + policy.longestSleep else { return }
    voices = [:]
    vacancySince = nil
    contestedSince = nil
    listeningUntil = now + policy.settle
  }

  /// The host has slept: it knows neither the time nor who leads, and listens as a new one does.
  public mutating func slept(at now: HostInstant) {
    lastAwake = now
    voices = [:]
    vacancySince = nil
    contestedSince = nil
    raisedAgainst = [:]
    followedUntil = nil
    listeningUntil = now + policy.settle
    role = .forming
  }

  private mutating func form(at now: HostInstant) {
    if let leader = bestLeader(at: now), let theirs = voices[leader]?.claim.term,
      term.map({ theirs >= $0 }) ?? true
    {
      return become(followerOf: leader)
    }
    guard !isVouchedFor(at: now) else { return }
    succeed(at: now)
  }

  private mutating func follow(_ coordinator: PeerID, at now: HostInstant) {
    let rival = bestLeader(at: now)
    guard isLive(coordinator, at: now), let voice = voices[coordinator],
      voice.isLeading(coordinator)
    else { return replaceCoordinator(by: rival, at: now) }
    vacancySince = nil
    if let term = voice.claim.term, self.term.map({ term > $0 }) ?? true { self.term = term }
    guard let rival, rival != coordinator, let theirs = voices[rival]?.claim.term,
      let term, theirs > term
    else {
      contestedSince = nil
      return
    }
    let since = contestedSince ?? now
    contestedSince = since
    if now >= since + policy.loyalty { become(followerOf: rival) }
  }

  /// The coordinator is silent, or says itself that it leads no longer.
  private mutating func replaceCoordinator(by rival: PeerID?, at now: HostInstant) {
    if let rival, let theirs = voices[rival]?.claim.term, term.map({ theirs >= $0 }) ?? true {
      return become(followerOf: rival)
    }
    guard now >= listeningUntil else { return }
    // Who never learned the time has nothing to hold over: alone it begins anew.
    if liveVoices(at: now).isEmpty && candidacy.grade != .none {
      role = .holding
      vacancySince = nil
      contestedSince = nil
    } else if isVouchedFor(at: now) {
      vacancySince = nil
    } else {
      succeed(at: now)
    }
  }

  /// Whether somebody hears a coordinator of this term or a higher one: as long as it lives for
  /// anybody, a second one would do harm.
  private func isVouchedFor(at now: HostInstant) -> Bool {
    liveVoices(at: now).values.contains { voice in
      guard voice.claim.hearsCoordinator, let theirs = voice.claim.term, theirs.peer != me
      else { return false }
      return term.map { theirs >= $0 } ?? true
    }
  }

  private mutating func lead(at now: HostInstant) {
    var unheard: Term?
    for (peer, voice) in liveVoices(at: now).sorted(by: { $0.key < $1.key }) {
      guard let mine = term, let theirs = voice.claim.term, theirs > mine else { continue }
      guard voice.isLeading(peer) else {
        // Somebody remembers a higher term of a coordinator that is not here, or leads no longer;
        // only a still higher one makes it follow. Where that coordinator leads, its own claim
        // decides.
        if isLive(theirs.peer, at: now), voices[theirs.peer]?.isLeading(theirs.peer) ?? false {
          continue
        }
        if theirs.peer != me && voice.claim.hearsCoordinator {
          unheard = max(unheard ?? theirs, theirs)
          continue
        }
        raise(above: theirs, against: peer, at: now)
        continue
      }
      let rival = Standing(
        grade: voice.claim.grade, rollingCount: voice.claim.rollingCount,
        hostCount: voice.claim.hostCount,
        tenureSeconds: voice.claim.tenureSeconds, peer: peer)
      if standing(at: now).prevails(over: rival) && mayRaise(against: peer, at: now) {
        raise(above: theirs, against: peer, at: now)
      } else {
        return become(followerOf: peer)
      }
    }
    yield(to: unheard, at: now)
  }

  /// A coordinator of a higher term leads where this host cannot hear it, but others can: after a
  /// while in which it might have been heard this host follows, and holds over.
  private mutating func yield(to unheard: Term?, at now: HostInstant) {
    guard let unheard, case .leading = role, term.map({ unheard > $0 }) ?? true else {
      if case .leading = role { contestedSince = nil }
      return
    }
    let since = contestedSince ?? now
    contestedSince = since
    guard now >= since + policy.loyalty * 2 else { return }
    role = .following(unheard.peer)
    term = unheard
    contestedSince = nil
  }

  private mutating func hold(at now: HostInstant) {
    // Who knows the time well does not take it from somebody who guesses it.
    if let leader = bestLeader(at: now), let claim = voices[leader]?.claim, let theirs = claim.term,
      claim.grade >= candidacy.grade, term.map({ theirs >= $0 }) ?? true
    {
      return become(followerOf: leader)
    }
    let live = liveVoices(at: now)
    let isLed = live.contains {
      $0.value.isLeading($0.key) && $0.value.claim.grade >= candidacy.grade
    }
    if live.isEmpty || isLed || isVouchedFor(at: now) {
      vacancySince = nil
    } else {
      succeed(at: now)
    }
  }

  /// Leads, unless somebody better suited still may.
  private mutating func succeed(at now: HostInstant) {
    guard now >= listeningUntil else { return }
    let since = vacancySince ?? now
    vacancySince = since
    guard now >= since + policy.patience * rank(at: now) else { return }
    let highest = voices.values.compactMap(\.claim.term?.counter).max() ?? 0
    term = Term(counter: max(highest, term?.counter ?? 0) + 1, peer: me)
    role = .leading(since: now)
    followedUntil = nil
    vacancySince = nil
    contestedSince = nil
  }

  private mutating func become(followerOf leader: PeerID) {
    role = .following(leader)
    term = voices[leader]?.claim.term ?? term
    vacancySince = nil
    contestedSince = nil
  }

  /// A rival that was outbid and bids again is let have its way: else two sides which each hold
  /// their own for the better would raise for ever.
  private func mayRaise(against peer: PeerID, at now: HostInstant) -> Bool {
    now >= listeningUntil && raisedAgainst[peer].map { now >= $0 + .seconds(5) } ?? true
  }

  private mutating func raise(above theirs: Term, against peer: PeerID, at now: HostInstant) {
    // A counter at its end comes of a broken peer; nobody would take what is above it.
    guard now >= listeningUntil, theirs.counter < Term.greatestCounter else { return }
    term = Term(counter: theirs.counter + 1, peer: me)
    raisedAgainst[peer] = now
  }

  private func rank(at now: HostInstant) -> Int {
    liveVoices(at: now).count { peer, voice in
      if voice.claim.grade != candidacy.grade { return voice.claim.grade > candidacy.grade }
      return peer < me
    }
  }

  private func bestLeader(at now: HostInstant) -> PeerID? {
    liveVoices(at: now).filter { $0.value.isLeading($0.key) }
      .max { ($0.value.claim.term ?? .none) < ($1.value.claim.term ?? .none) }?.key
  }

  private func liveVoices(at now: HostInstant) -> [PeerID: Voice] {
    voices.filter { isLive($0.value, at: now) }
  }

  private func isLive(_ peer: PeerID, at now: HostInstant) -> Bool {
    voices[peer].map { isLive($0, at: now) } ?? false
  }

  private func isLive(_ voice: Voice, at now: HostInstant) -> Bool {
    voice.lastHeard + policy.coordinatorSilence > now
  }
}

extension Term {
  /// Below every real term.
  fileprivate static let none = Term(counter: 0, peer: PeerID(high: 0, low: 0))
}
