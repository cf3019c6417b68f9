internal import Units

// What each role makes of what is heard.
extension Election {
  mutating func form(at now: HostInstant) {
    if let leader = voices.bestLeader(at: now), let voice = voices[leader] {
      if isGuessing(voice, at: now) { return succeed(at: now) }
      if isHigher(leader, orEqual: true) { return become(followerOf: leader) }
    }
    guard !isVouchedFor(at: now) else { return }
    succeed(at: now)
  }

  mutating func follow(_ coordinator: PeerID, at now: HostInstant) {
    let rival = voices.bestLeader(at: now)
    guard let voice = voices[coordinator], voices.isLive(voice, at: now),
      voice.isLeading(coordinator)
    else { return replaceCoordinator(by: rival, at: now) }
    if let term = voice.claim.term, self.term.map({ term > $0 }) ?? true { self.term = term }
    if isGuessing(voice, at: now) {
      if let rival, rival != coordinator, isHigher(rival) { return become(followerOf: rival) }
      return succeed(at: now)
    }
    vacancySince = nil
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

  /// Whether the coordinator, as after a sleep, only guesses the time that this host knows well, and
  /// nobody is heard to obey another who knows it.
  private func isGuessing(_ coordinator: Voice, at now: HostInstant) -> Bool {
    coordinator.claim.grade <= .guess && candidacy.grade > .guess
      && !isVouchedFor(by: .coarse, otherThan: coordinator.claim.term?.peer, at: now)
  }

  /// Whether a rival's term is above this host's.
  private func isHigher(_ rival: PeerID, orEqual: Bool = false) -> Bool {
    guard let theirs = voices[rival]?.claim.term else { return false }
    return term.map { theirs > $0 || (orEqual && theirs == $0) } ?? true
  }

  /// The coordinator is silent, or says itself that it leads no longer.
  private mutating func replaceCoordinator(by rival: PeerID?, at now: HostInstant) {
    if let rival, let theirs = voices[rival]?.claim.term, term.map({ theirs >= $0 }) ?? true {
      return become(followerOf: rival)
    }
    guard now >= listeningUntil else { return }
    // Who never learned the time has nothing to hold over: alone it begins anew.
    if !voices.isAnyLive(at: now) && candidacy.grade != .none {
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
  ///
  /// - Parameters:
  ///   - grade: who knows time less well does not count.
  ///   - leader: nor does who hears this one.
  private func isVouchedFor(
    by grade: TimeGrade = .none, otherThan leader: PeerID? = nil, at now: HostInstant
  ) -> Bool {
    // While a group forms, or has lost its coordinator, hardly anybody does, and all ask at each
    // heartbeat.
    voices.vouching.contains { peer in
      guard let voice = voices[peer], voices.isLive(voice, at: now), voice.claim.grade >= grade,
        let theirs = voice.claim.term, theirs.peer != me, theirs.peer != leader
      else { return false }
      return term.map { theirs >= $0 } ?? true
    }
  }

  mutating func lead(at now: HostInstant) {
    var unheard: Term?
    for (peer, voice) in voices.live(above: term, at: now) {
      guard let mine = term, let theirs = voice.claim.term, theirs > mine else { continue }
      guard voice.isLeading(peer) else {
        // Somebody remembers a higher term of a coordinator that is not here, or leads no longer;
        // only a still higher one makes it follow. Where that coordinator leads, its own claim
        // decides.
        if voices.isLive(theirs.peer, at: now), voices[theirs.peer]?.isLeading(theirs.peer) ?? false
        {
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

  mutating func hold(at now: HostInstant) {
    // Who knows the time well does not take it from somebody who guesses it, but leads: the other
    // will follow.
    if let leader = voices.bestLeader(at: now), let claim = voices[leader]?.claim,
      let theirs = claim.term,
      claim.grade >= candidacy.grade, term.map({ theirs >= $0 }) ?? true
    {
      return become(followerOf: leader)
    }
    let isLed = voices.isLed(at: now, by: candidacy.grade)
    if !voices.isAnyLive(at: now) || isLed || isVouchedFor(by: candidacy.grade, at: now) {
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
    guard !isRankAbove(waited(since: since, at: now), at: now) else { return }
    let highest = voices.all.reduce(0) { max($0, $1.claim.term?.counter ?? 0) }
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

  /// How many better candidates have had their time to take the lead.
  func waited(since vacancy: HostInstant, at now: HostInstant) -> Int {
    Int((now - vacancy).wholeNanoseconds / max(1, policy.patience.wholeNanoseconds))
  }

  /// Whether more than `limit` of those who live would keep time better, or as well and have the
  /// smaller id: of a thousand the first few tell that.
  private func isRankAbove(_ limit: Int, at now: HostInstant) -> Bool {
    var rank = 0
    for (peer, voice) in voices.live(at: now) {
      let theirs = voice.claim.grade
      guard theirs != candidacy.grade ? theirs > candidacy.grade : peer < me else { continue }
      rank += 1
      if rank > limit { return true }
    }
    return false
  }
}
