import Units

extension SyncEstimator {
  /// What the last fit leaves for judging the observations after it.
  struct Fitted: Sendable {
    let at: Int64
    /// The heights over the line through nought below which an observation would change the fit.
    let forwardReach: Double
    let reverseReach: Double
    /// The blunter floor's scale, in nanoseconds.
    let scale: Double
    let line: MaxMarginLine.Fit
  }

  /// The log-likelihood by which a line may fall short of the best and still be believed: with 7 the
  /// bound held in less than 99 of 100 readings of a modelled radio under load, see `docs/time.md`.
  static let evidence = 8.0

  /// Whether an exchange can change the line: it always does while there are few, and once a
  /// second; else only where it lies low.
  func needsFit(for exchange: SyncExchange) -> Bool {
    guard count > 64, let fitted else { return true }
    if newest.nanoseconds - fitted.at > 1_000_000_000 { return true }
    return touches(exchange)
  }

  /// Whether an exchange is among the lowest of either direction, along the line.
  func touches(_ exchange: SyncExchange) -> Bool {
    guard let fitted, let current else { return true }
    let elapsed = max(0, exchange.t4.nanoseconds - fitted.at)
    let aged = restlessness.ageing * Double(elapsed)
    let ahead = Self.ahead(exchange, base: base)
    let back = Self.back(exchange, base: base)
    let skew = current.skew.fraction
    return ahead.value - skew * Double(ahead.at - fitted.at) < fitted.forwardReach + aged
      || back.value + skew * Double(back.at - fitted.at) < fitted.reverseReach + aged
  }

  mutating func fit() {
    let now = newest.nanoseconds
    let before = densities(along: current?.skew.fraction ?? prior, at: now)
    let line = MaxMarginLine(
      forward: forward.hull(from: now), reverse: reverse.hull(from: now),
      ageing: restlessness.ageing, prior: prior, priorDeviation: priorDeviation,
      limit: policy.rateLimit.fraction, forwardDensity: before.forward,
      reverseDensity: before.reverse)
    let fit = line.fit(evidence: Self.evidence)
    let after = densities(along: fit.skew, at: now)
    if count > 64 { restlessness.learn(from: fit, forward: forward, reverse: reverse, at: now) }
    fitted = Fitted(
      at: now, forwardReach: after.forward.reach, reverseReach: after.reverse.reach,
      scale: max(after.forward.scale, after.reverse.scale), line: fit)
    current = OffsetEstimate(
      anchor: newest,
      offsetNanoseconds: base + Int64(offset(of: fit, after.forward, after.reverse).rounded()),
      skew: ClockRate(fraction: fit.skew),
      jitterBoundNanoseconds: Int64((fit.offsetDoubt + allowance).rounded(.up)),
      boundGrowth: ClockRate(fraction: fit.skewDoubt + 2 * restlessness.ageing),
      floorRoundTripNanoseconds: Int64(max(0, fit.floor).rounded(.up)),
      floorScaleNanoseconds: Int64((fitted?.scale ?? 0).rounded(.up)), stampKind: kind,
      exchangeCount: count, lastExchange: newest)
  }

  /// The offset of a line, or rather what pairs of observations make of it where one direction is the
  /// blunter by far; within what the line leaves open. Restless oscillators leave pairs no time.
  private func offset(
    of fit: MaxMarginLine.Fit, _ ahead: FloorDensity, _ back: FloorDensity
  ) -> Double {
    let weight = PairedFloors.weight(of: ahead, and: back)
    guard weight > 0, count > 64, restlessness.isCalm else { return fit.offset }
    let isAheadBlunt = ahead.scale > back.scale
    let pairs = PairedFloors(
      blunt: isAheadBlunt ? forward : reverse, sharp: isAheadBlunt ? reverse : forward,
      slope: isAheadBlunt ? -fit.skew : fit.skew, ageing: restlessness.ageing,
      from: newest.nanoseconds)
    let paired =
      isAheadBlunt
      ? pairs.roundTrip / 2 - (fit.reverseFloor - back.excess)
      : fit.forwardFloor - ahead.excess - pairs.roundTrip / 2
    let departure = weight * (paired - fit.offset)
    return fit.offset + max(-fit.offsetDoubt, min(departure, fit.offsetDoubt))
  }

  /// The scale of a floor, in nanoseconds, below which it is sharp.
  private static let sharpScale = 100.0

  /// The filter's estimate, where both floors are sharp and the line does not contradict it.
  var sharpened: OffsetEstimate? {
    guard kind != .userSpace, let current, let fitted, fitted.scale < Self.sharpScale,
      let reading = filter.reading
    else { return nil }
    let at = HostInstant(nanoseconds: reading.at)
    let line = Double(current.other(at: at).nanoseconds - reading.at - base)
    let room = Double(current.jitterBoundNanoseconds(at: at))
    let bound = reading.offsetDoubt + allowance
    guard bound < room, abs(reading.offset - line) < room else { return nil }
    return OffsetEstimate(
      anchor: at, offsetNanoseconds: base + Int64(reading.offset.rounded()),
      skew: ClockRate(fraction: reading.skew),
      jitterBoundNanoseconds: Int64(bound.rounded(.up)),
      boundGrowth: ClockRate(
        fraction: reading.skewDoubt
          + (isResting ? 2 : OffsetFilter.nearGrowth) * restlessness.ageing),
      floorRoundTripNanoseconds: current.floorRoundTripNanoseconds,
      floorScaleNanoseconds: current.floorScaleNanoseconds, stampKind: kind,
      exchangeCount: count, lastExchange: newest)
  }

  /// What the stamps themselves may hide: no more than a quarter of what both floors take. What a stamp
  /// hides is a delay like any and part of the floor, and half of the difference of both directions
  /// is error; a quarter is that of two of which one hides three times as much as the other. Whatever
  /// is beyond that is part of the path limit, which is half of the floors.
  private var allowance: Double {
    let share = max(0, fitted?.line.floor ?? .infinity) * Self.stampShare
    return min(mostAllowance, max(policy.kernelAllowanceNanoseconds, share))
  }

  private static let stampShare = 0.25

  /// What stamps of a kind may hide on any path.
  private var mostAllowance: Double {
    switch kind {
    case .kernel: policy.kernelAllowanceNanoseconds
    case .scheduled: policy.scheduledAllowanceNanoseconds
    case .userSpace: policy.userSpaceAllowanceNanoseconds
    }
  }

  private func densities(
    along skew: Double, at now: Int64
  ) -> (forward: FloorDensity, reverse: FloorDensity) {
    let ageing = restlessness.ageing
    let count = FloorDensity.lowestCount
    let ahead = forward.lowest(count, slope: skew, ageing: ageing, from: now)
    let back = reverse.lowest(count, slope: -skew, ageing: ageing, from: now)
    let roundTrip = max(0, ahead[0].height + back[0].height)
    return (
      FloorDensity(lowest: ahead, roundTrip: roundTrip, other: back),
      FloorDensity(lowest: back, roundTrip: roundTrip, other: ahead)
    )
  }

  /// How far below nothing two floors may seem to lie because of the stamps alone: conversion
  /// between clocks errs by tens of nanoseconds at each of four stamps.
  private var stampWidth: Double { max(500, 2 * mostAllowance) }

  /// The least that the two floors together may be: no path is shorter than nothing; and once
  /// it has been seen often, not than half of what the best single exchange took.
  private func leastFloor(with roundTrip: Double) -> Double {
    if count <= Self.fewExchanges { return -Self.fewWidth }
    let best = min(floor, roundTrip)
    let half = count > 200 ? min(0.5 * best, best - 20_000) : 0
    return half > 0 ? half : -stampWidth
  }

  /// A line through a few exchanges may have any slope: only floors that lie below nothing by more
  /// than that makes of some seconds are impossible then, in nanoseconds.
  private static let fewExchanges = 16
  private static let fewWidth = 5_000_000.0

  /// Whether an exchange lies so low that with it the two floors would be too short.
  func contradicts(_ exchange: SyncExchange) -> Bool {
    guard let fitted, let current else { return false }
    let elapsed = max(0, Double(exchange.t4.nanoseconds - fitted.at))
    let slack = elapsed * current.boundGrowth.fraction
    let skew = current.skew.fraction
    let ahead = Self.ahead(exchange, base: base)
    let back = Self.back(exchange, base: base)
    let over = ahead.value - skew * Double(ahead.at - fitted.at) - fitted.line.forwardFloor
    let under = back.value + skew * Double(back.at - fitted.at) - fitted.line.reverseFloor
    let floor = fitted.line.floor + min(0, over + slack) + min(0, under + slack)
    return floor < leastFloor(with: Double(exchange.roundTripNanoseconds))
  }

  /// By how much a direction must have become shorter, in nanoseconds and in scales of the floors, for
  /// the other to be suspected of the same.
  private static let leastFall = 100_000.0
  private static let fallScales = 10.0

  /// Whether an exchange lies far below the floor of one direction and far above that of the other: it
  /// left by one path and came back by another, shorter one, and half of the difference would pass
  /// for offset until the next has gone the short way in both directions.
  func isHalfway(_ exchange: SyncExchange) -> Bool {
    guard count > 64, let fitted, let current else { return false }
    let skew = current.skew.fraction
    let ahead = Self.ahead(exchange, base: base)
    let back = Self.back(exchange, base: base)
    let over = ahead.value - skew * Double(ahead.at - fitted.at) - fitted.line.forwardFloor
    let under = back.value + skew * Double(back.at - fitted.at) - fitted.line.reverseFloor
    let fall = -min(over, under)
    return fall > max(Self.leastFall, Self.fallScales * fitted.scale)
      && max(over, under) > -fall / 2
  }

  /// Whether the last fit has floors that no path has.
  var isImpossible: Bool {
    guard let fitted else { return false }
    return fitted.line.floor < leastFloor(with: floor)
  }

  /// Since when the path has been another: both directions keep above their floors.
  func startOfRise() -> Int64? {
    guard let line = fitted?.line else { return nil }
    let now = newest.nanoseconds
    guard
      let ahead = forward.rise(
        above: line.forwardFloor, slope: line.skew, at: now, policy: policy),
      let back = reverse.rise(
        above: line.reverseFloor, slope: -line.skew, at: now, policy: policy)
    else { return nil }
    return max(ahead, back)
  }
}

extension DelayFloor {
  /// Since when the newest seconds keep so far above the `floor`, against how they scatter,
  /// that chance does not explain it; nothing where they do not.
  func rise(above floor: Double, slope: Double, at now: Int64, policy: SyncPolicy) -> Int64? {
    let start = settled - policy.floorPatienceSeconds
    guard start > 0, now - observations[start].at >= policy.floorPatience.wholeNanoseconds
    else { return nil }
    let newest = observations[start...]
    let heights = newest.map { $0.value - slope * Double($0.at - now) - floor }.sorted()
    let scatter = heights[heights.count / 2] - heights[0]
    return heights[0] > max(20_000, 3 * scatter) ? observations[start].at : nil
  }
}
