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

  let me: PeerID
  let policy: ElectionPolicy
  public internal(set) var role: Role = .forming
  /// The term that this host obeys, or its own.
  public internal(set) var term: Term?
  /// Set by the node as it changes.
  public var candidacy: Candidacy
  var voices: Voices
  /// Until then this host listens: it neither begins to lead nor raises its term.
  var listeningUntil: HostInstant
  /// When this host last did anything at all.
  private var lastAwake: HostInstant
  /// Since when there is a vacancy that a better candidate should fill.
  var vacancySince: HostInstant?
  /// Since when somebody's term exceeds that of the coordinator which this host follows.
  var contestedSince: HostInstant?
  /// While this host leads: when somebody who follows it was last heard.
  public internal(set) var followedUntil: HostInstant?
  /// When this host last raised its term against each rival.
  var raisedAgainst: [PeerID: HostInstant] = [:]

  /// Begins at `now`, listening.
  public init(
    me: PeerID, policy: ElectionPolicy = ElectionPolicy(), candidacy: Candidacy, at now: HostInstant
  ) {
    self.me = me
    self.policy = policy
    self.candidacy = candidacy
    voices = Voices(silence: policy.coordinatorSilence)
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
      voices[peer].map { voices.isLive($0, at: now) && $0.isLeading(peer) } ?? false
    }
  }

  /// How this host would stand against another coordinator.
  public func standing(at now: HostInstant) -> Standing {
    // Whoever obeys the same coordinator is of its side, also where it has not heard yet that the
    // coordinator raised its term.
    var (hosts, rolling) = (1, candidacy.activity == .rolling ? 1 : 0)
    for voice in voices.all
    where voice.claimed + policy.coordinatorSilence > now && voice.claim.term?.peer == term?.peer {
      hosts += 1
      if voice.claim.activity == .rolling { rolling += 1 }
    }
    var tenure: UInt32 = 0
    if case .leading(let since) = role {
      tenure = UInt32(clamping: (now.nanoseconds - since.nanoseconds) / 1_000_000_000)
    }
    return Standing(
      grade: candidacy.grade, rollingCount: UInt16(clamping: rolling),
      hostCount: UInt16(clamping: hosts), tenureSeconds: tenure, peer: me)
  }

  /// Since when another may lead elsewhere: more of those who followed this host are lost than are
  /// left. Nothing while that is not so, and for those who were lost longer than `memory` ago.
  public func partedSince(at now: HostInstant, memory: Duration) -> HostInstant? {
    guard case .leading = role else { return nil }
    var (live, lost) = (0, 0)
    var first: HostInstant?
    for voice in voices.all where voice.claim.term == term {
      if voices.isLive(voice, at: now) {
        live += 1
      } else if voice.lastHeard + memory > now {
        lost += 1
        first = min(first ?? voice.lastHeard, voice.lastHeard)
      }
    }
    return lost > live + 1 ? first : nil
  }

  /// Takes in a heartbeat's claim; whether role or term changed.
  public mutating func heard(_ claim: Claim, from peer: PeerID, at now: HostInstant) -> Bool {
    noticeAbsence(at: now)
    voices.put(claim, of: peer, at: now)
    // Who was away for a while finds old claims first.
    if case .leading = role, claim.term == term, now >= listeningUntil { followedUntil = now }
    return advance(to: now)
  }

  /// Takes note that something else was heard from `peer`.
  public mutating func touched(_ peer: PeerID, at now: HostInstant) {
    noticeAbsence(at: now)
    voices.touch(peer, at: now)
    voices.settle(at: now)
  }

  /// Takes note that what `peer` claimed is void: it is gone, or lives anew.
  public mutating func forget(_ peer: PeerID, at now: HostInstant) -> Bool {
    voices.remove(peer)
    raisedAgainst[peer] = nil
    return advance(to: now)
  }

  /// Brings the decision up to `now`; whether role or term changed.
  public mutating func advance(to now: HostInstant) -> Bool {
    noticeAbsence(at: now)
    voices.settle(at: now)
    let before = (role, term)
    switch role {
    case .forming: form(at: now)
    case .following(let coordinator): follow(coordinator, at: now)
    case .leading: lead(at: now)
    case .holding: hold(at: now)
    }
    return before != (role, term)
  }

  /// No later than the earliest time at which ``advance(to:)`` may decide something new by itself.
  public func nextWakeup(after now: HostInstant) -> HostInstant {
    var next: HostInstant?
    func consider(_ instant: HostInstant?) {
      if let instant, instant > now { next = min(next ?? instant, instant) }
    }
    consider(voices.nextSilence)
    consider(listeningUntil)
    consider(contestedSince.map { $0 + policy.loyalty })
    consider(contestedSince.map { $0 + policy.loyalty * 2 })
    // How many are waited for is counted when the next one's time is over, not at each datagram.
    consider(vacancySince.map { $0 + policy.patience * (waited(since: $0, at: now) + 1) })
    return next ?? now + .seconds(1)
  }

  /// A host that was stopped for so long may have been replaced meanwhile, and finds first what was
  /// true before: it listens again before it claims anything.
  mutating func noticeAbsence(at now: HostInstant) {
    defer { lastAwake = max(lastAwake, now) }
    guard now > lastAwake + policy.longestSleep else { return }
    voices.removeAll()
    vacancySince = nil
    contestedSince = nil
    listeningUntil = now + policy.settle
  }

  /// The host has slept: it knows neither the time nor who leads, and listens as a new one does.
  public mutating func slept(at now: HostInstant) {
    lastAwake = now
    voices.removeAll()
    vacancySince = nil
    contestedSince = nil
    raisedAgainst = [:]
    followedUntil = nil
    listeningUntil = now + policy.settle
    role = .forming
  }
}
