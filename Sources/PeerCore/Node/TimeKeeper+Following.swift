public import Units

// What exchanges with the coordinator tell.
extension TimeKeeper {
  /// Takes in an exchange with the coordinator and the map that came with it.
  public mutating func add(
    _ exchange: SyncExchange, map: ClockMap?, activity: Activity, at now: HostInstant
  ) -> [Event] {
    // Who has slept has no map any more, and what it said before is of a clock that stood still.
    theirMap = map
    var events = measure(exchange)
    guard let theirMap, let estimate = estimator.estimate, !estimator.isDoubted else {
      return events
    }
    if system != nil {
      return theirMap.session == clock.session?.id
        ? events : events + kept(against: theirMap.session)
    }
    if let session = theirSession, session.id == theirMap.session, session.id != clock.session?.id {
      guard activity == .idle || clock.session == nil else {
        return events + kept(against: session.id)
          + compared(with: theirMap, through: estimate, at: now)
      }
      // A reply may bring the stamps of an exchange from before: who changed its session has perhaps
      // slept, and its clock with it.
      guard exchange.t1 >= theirSessionSince ?? exchange.t1 else { return events }
      return events + adopt(session, theirMap, through: estimate, at: now)
    }
    guard theirMap.session == clock.session?.id else { return events }
    keptAgainst = nil
    onLineUntil = now
    theirLine = theirMap
    if !mayHandOver(to: estimate, while: activity, at: now) { clock.endHandover() }
    if clock.follow(theirMap, through: estimate, at: now) { events += announcement }
    return events
  }

  /// The coordinator's clock against this host's at `now`; while nobody is heard the last one's.
  ///
  /// It is what the map says, whose bounds come with it: a map that holds over, as after a change of
  /// the path, is another line than the coarse one of the exchanges since. Where the map is not made
  /// of the coordinator's, on system time or in a session of its own, it is what was measured.
  public func offset(at now: HostInstant) -> OffsetReading? {
    if system == nil, let map = clock.map, let theirLine, map.session == theirLine.session {
      let theirs = theirLine.host(at: map.shared(at: now))
      return OffsetReading(
        nanoseconds: theirs.nanoseconds - now.nanoseconds,
        jitterBoundNanoseconds: map.jitterBoundNanoseconds(at: now),
        pathLimitNanoseconds: map.pathLimitNanoseconds)
    }
    return lastEstimate.map { estimate in
      OffsetReading(
        nanoseconds: estimate.other(at: now).nanoseconds - now.nanoseconds,
        jitterBoundNanoseconds: estimate.jitterBoundNanoseconds(at: now),
        pathLimitNanoseconds: estimate.pathLimitNanoseconds)
    }
  }

  private mutating func measure(_ exchange: SyncExchange) -> [Event] {
    if estimator.estimate == nil, let expected = expectedRate() {
      estimator = SyncEstimator(ratePrior: expected.rate, rateDeviation: expected.deviation)
    }
    windowStart = windowStart ?? exchange.t4
    _ = estimator.rest(at: exchange.t4)
    let before = estimator.estimate
    guard let reason = estimator.add(exchange) else {
      guard let before, let after = estimator.estimate else { return [] }
      return before.isSurprised(by: after) ? [.surprised] : []
    }
    windowStart = exchange.t4
    return [.restarted(reason)]
  }

  /// What is known of the coordinator's rate before it was measured: whoever succeeds goes on with
  /// the rate of the timeline, which this host knows too where it was on it; else what was kept of
  /// the pair.
  private func expectedRate() -> (rate: ClockRate, deviation: ClockRate)? {
    var best: (rate: ClockRate, deviation: ClockRate)?
    if let rate = (coordinator?.peer).flatMap({ rates.rate(of: $0) }) {
      best = (rate, RateBook.drift)
    }
    // A coordinator that counts no doubt of its own any more may have begun with another rate.
    if isOnTheirLine, let own = clock.map, let theirs = theirMap, own.session == theirs.session,
      theirs.boundGrowth > .zero
    {
      let rate = (1 + own.skew.fraction) / (1 + theirs.skew.fraction) - 1
      let doubt = own.boundGrowth.fraction + theirs.boundGrowth.fraction
      let deviation = ClockRate(fraction: max(doubt / 2, Self.leastDeviation.fraction))
      if deviation < best?.deviation ?? SyncPolicy().ratePrior {
        best = (ClockRate(fraction: rate), deviation)
      }
    }
    return best
  }

  /// No two oscillators keep their rates to less than this.
  private static let leastDeviation = ClockRate(partsPerMillion: 0.4)

  private mutating func adopt(
    _ session: Session, _ map: ClockMap, through estimate: OffsetEstimate, at now: HostInstant
  ) -> [Event] {
    let before = clock.map
    clock.adopt(session)
    keptAgainst = nil
    theirLine = map
    clock.follow(map, through: estimate, at: now)
    guard let before, let after = clock.map else { return announcement }
    return [.compared(SessionLink(from: before, to: after, at: now))] + announcement
  }

  var announcement: [Event] {
    guard let session = clock.session, let map = clock.map else { return [] }
    return [.sessionChanged(session, generation: map.generation)]
  }

  private mutating func kept(against other: SessionID) -> [Event] {
    guard let own = clock.session?.id, keptAgainst != other else { return [] }
    keptAgainst = other
    return [.sessionKept(own: own, other: other)]
  }

  /// While a session is kept beside another: how the two lie, once that is known well, and once a
  /// minute.
  private mutating func compared(
    with other: ClockMap, through estimate: OffsetEstimate, at now: HostInstant
  ) -> [Event] {
    guard let own = clock.map, estimate.exchangeCount >= SessionClock.settledExchanges,
      lastCompared.map({ now - $0 >= Self.comparison }) ?? true
    else { return [] }
    lastCompared = now
    let theirs = SessionClock.map(
      through: estimate, to: other, generation: own.generation, at: now)
    return [.compared(SessionLink(from: own, to: theirs, at: now))]
  }

  /// Whether the map that there was may serve still: for a second; and while a take is armed or
  /// rolling, when each host counts the bound that a successor inherits, until its clock is known.
  private func mayHandOver(
    to estimate: OffsetEstimate, while activity: Activity, at now: HostInstant
  ) -> Bool {
    guard let since, now >= since + Self.handover else { return true }
    return activity != .idle && estimate.exchangeCount < SessionClock.settledExchanges
  }

  /// Lets the map's bound grow as it does over minutes, where the coordinator has been silent for a
  /// while or will be for sure.
  mutating func rest(at now: HostInstant, isForSure: Bool) {
    guard coordinator != nil, system == nil, estimator.rest(at: now, isForSure: isForSure),
      let theirMap, let estimate = estimator.estimate, !estimator.isDoubted,
      theirMap.session == clock.session?.id
    else { return }
    _ = clock.follow(theirMap, through: estimate, at: now)
  }

  /// Keeps the coordinator's rate where it was measured for long enough.
  mutating func noteRate() {
    guard let coordinator, let windowStart, let estimate = estimator.estimate,
      estimate.lastExchange - windowStart >= Self.rateSpan,
      estimate.boundGrowth < RateBook.worstDoubt
    else { return }
    rates.note(estimate.skew, of: coordinator.peer)
  }
}
