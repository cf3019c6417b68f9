public import Units

// What a coordinator's map and clock make of the map.
extension SessionClock {
  /// Another coordinator is followed from now on: the map that there is serves until that one's
  /// clock is known as well.
  public mutating func beginHandover() {
    handover = map.map { Handover(map: $0) }
    isHandoverOver = false
  }

  /// What the new coordinator's clock tells next is taken, however coarse.
  public mutating func endHandover() {
    guard handover != nil else { return }
    handover = nil
    isHandoverOver = true
  }

  /// Follows a coordinator: its map, and what is known of its clock. A map of another session
  /// than the one kept has no effect. Neither has a coarse estimate, during a handover or of a clock
  /// that is measured anew, as long as the map that is held says more and does not contradict it; nor
  /// a coordinator that only guesses, where this host knows better.
  ///
  /// - Returns: Whether a new generation began: a guess has given way to a measurement, or there was
  ///   no map.
  @discardableResult
  public mutating func follow(
    _ coordinator: ClockMap, through estimate: OffsetEstimate, at now: HostInstant
  ) -> Bool {
    guard let session, coordinator.session == session.id else { return false }
    let wasVoid = map == nil
    if map == nil && generation == 0 { generation = 1 }
    let new = Self.map(
      through: estimate, to: coordinator, generation: generation, at: now)
    let wasGuess = (map?.boundNanoseconds(at: now) ?? 0) >= Leadership.guess
    let isGuess = new.boundNanoseconds(at: now) >= Leadership.guess
    if isGuess && !wasGuess && !wasVoid { return false }
    if let kept = preferred(over: new, of: coordinator, through: estimate, at: now) {
      set(kept, at: now)
      return false
    }
    handover = nil
    isHandoverOver = false
    guard wasGuess, !isGuess else {
      set(new, at: now)
      return wasVoid
    }
    // What was off by whole seconds would be slewed for hours.
    generation += 1
    set(Self.map(through: estimate, to: coordinator, generation: generation, at: now), at: now)
    return true
  }

  /// The map that there is, where it says more than the `new` one and does not contradict it.
  private func preferred(
    over new: ClockMap, of coordinator: ClockMap, through estimate: OffsetEstimate,
    at now: HostInstant
  ) -> ClockMap? {
    if isHandoverOver { return nil }
    let isSettled = estimate.exchangeCount >= Self.settledExchanges
    let passed = handover?.map(on: coordinator, reading: estimate.other(at: now), at: now)
    guard let old = passed ?? (isSettled ? nil : map) else { return nil }
    // By its own bound: it has the better rate too, which a successor goes on with.
    let own = (handover?.map ?? old).boundNanoseconds(at: now)
    let offered = new.boundNanoseconds(at: now)
    let apart = (new.shared(at: now) - old.shared(at: now)).wholeNanoseconds.magnitude
    let isConsistent = apart <= UInt64(old.boundNanoseconds(at: now) + offered)
    return own < offered && isConsistent ? old : nil
  }

  /// How many exchanges make an estimate that no longer is a first, coarse one.
  static let settledExchanges = 64

  /// The way through the coordinator's clock: both rates, and the bounds of both steps.
  static func map(
    through estimate: OffsetEstimate, to coordinator: ClockMap, generation: UInt32,
    at now: HostInstant
  ) -> ClockMap {
    let theirs = estimate.other(at: now)
    let skew = (1 + estimate.skew.fraction) * (1 + coordinator.skew.fraction) - 1
    let growth = estimate.boundGrowth.fraction + coordinator.boundGrowth.fraction
    return ClockMap(
      session: coordinator.session, generation: generation, hostAnchor: now,
      sharedAnchor: coordinator.shared(at: theirs), skew: ClockRate(fraction: skew),
      jitterBoundNanoseconds: estimate.jitterBoundNanoseconds(at: now)
        + coordinator.jitterBoundNanoseconds(at: theirs),
      pathLimitNanoseconds: estimate.pathLimitNanoseconds + coordinator.pathLimitNanoseconds,
      boundGrowth: ClockRate(fraction: growth))
  }
}
