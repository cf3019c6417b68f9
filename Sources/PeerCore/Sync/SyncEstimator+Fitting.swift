import Units

extension SyncEstimator {
  /// What the last fit leaves for judging the observations after it.
  struct Fitted: Sendable {
    let at: Int64
    /// The heights over the line through nought below which an observation would change the fit.
    let forwardReach: Double
    let reverseReach: Double
    let rateDoubt: Double
    let line: MaxMarginLine.Fit
  }

  /// How many of the lowest observations tell how densely the floor is hit.
  static let lowestCount = 6
  /// The log-likelihood by which a line may fall short of the best and still be believed.
  static let evidence = 6.0

  /// Whether an exchange can change the line: it always does while there are few, and once a
  /// second; else only where it lies low.
  func needsFit(for exchange: SyncExchange) -> Bool {
    guard count > 64, let fitted, let current else { return true }
    let elapsed = newest.nanoseconds - fitted.at
    if elapsed > 1_000_000_000 { return true }
    let aged = policy.ageing.fraction * Double(elapsed)
    let ahead = Self.ahead(exchange, base: base)
    let back = Self.back(exchange, base: base)
    let skew = current.skew.fraction
    return ahead.value - skew * Double(ahead.at - fitted.at) < fitted.forwardReach + aged
      || back.value + skew * Double(back.at - fitted.at) < fitted.reverseReach + aged
  }

  mutating func fit() {
    let now = newest.nanoseconds
    let skew = current?.skew.fraction ?? prior
    let line = MaxMarginLine(
      forward: forward.hull(from: now), reverse: reverse.hull(from: now),
      ageing: policy.ageing.fraction, prior: prior, priorDeviation: priorDeviation,
      limit: policy.rateLimit.fraction, scale: scale(along: skew, at: now).value)
    let fit = line.fit(evidence: Self.evidence)
    let after = scale(along: fit.skew, at: now)
    fitted = Fitted(
      at: now, forwardReach: after.forward, reverseReach: after.reverse,
      rateDoubt: fit.skewDoubt, line: fit)
    current = OffsetEstimate(
      anchor: newest, offsetNanoseconds: base + Int64(fit.offset.rounded()),
      skew: ClockRate(fraction: fit.skew),
      jitterBoundNanoseconds: Int64((fit.offsetDoubt + allowance).rounded(.up)),
      boundGrowth: ClockRate(fraction: fit.skewDoubt + 2 * policy.ageing.fraction),
      floorRoundTripNanoseconds: Int64(max(0, fit.floor).rounded(.up)), stampKind: kind,
      exchangeCount: count, lastExchange: newest)
  }

  /// What the stamps themselves may hide.
  private var allowance: Double {
    switch kind {
    case .kernel: policy.kernelAllowanceNanoseconds
    case .scheduled: policy.scheduledAllowanceNanoseconds
    case .userSpace: policy.userSpaceAllowanceNanoseconds
    }
  }

  /// How far apart the lowest observations lie, which is how far the lowest of all may lie above
  /// the true floor; and the height of the highest that was looked at, in each direction.
  private func scale(
    along skew: Double, at now: Int64
  ) -> (value: Double, forward: Double, reverse: Double) {
    let ageing = policy.ageing.fraction
    let ahead = forward.lowest(Self.lowestCount, slope: skew, ageing: ageing, from: now)
    let back = reverse.lowest(Self.lowestCount, slope: -skew, ageing: ageing, from: now)
    let gaps = Double(ahead.count + back.count - 2)
    let spread = (ahead[ahead.count - 1] - ahead[0]) + (back[back.count - 1] - back[0])
    let measured = gaps > 0 ? spread / gaps : 0
    // A few exchanges say little of how low the next may be: their floor itself stands in.
    let few = gaps < 10 ? max(0, ahead[0] + back[0]) / (2 + gaps * gaps) : 0
    return (max(1, measured + few), ahead[ahead.count - 1], back[back.count - 1])
  }

  /// Whether the window cannot be of one path and two steady clocks.
  func contradiction() -> Restart? {
    guard let line = fitted?.line, count > 16 else { return nil }
    // No path is shorter than nothing; and once it has been seen often, not than half of what
    // the best single exchange took.
    let least = count > 200 ? min(0.5 * floor, floor - 20_000) : 0
    if line.floor < least { return .contradiction }
    let now = newest.nanoseconds
    return forward.rose(above: line.forwardFloor, slope: line.skew, at: now, policy: policy)
      && reverse.rose(above: line.reverseFloor, slope: -line.skew, at: now, policy: policy)
      ? .floorRose : nil
  }
}

extension DelayFloor {
  /// Whether the newest seconds keep so far above the `floor`, against how they scatter, that
  /// chance does not explain it.
  func rose(above floor: Double, slope: Double, at now: Int64, policy: SyncPolicy) -> Bool {
    let patience = policy.floorPatience.wholeNanoseconds
    let newest = observations[..<settled].suffix(policy.floorPatienceSeconds)
    guard newest.count == policy.floorPatienceSeconds, let first = newest.first,
      let oldest = observations.first, now - first.at >= patience, oldest.at < first.at
    else { return false }
    let heights = newest.map { $0.value - slope * Double($0.at - now) - floor }.sorted()
    let least = heights[0]
    let scatter = heights[heights.count / 2] - least
    return least > max(20_000, 3 * scatter)
  }
}
