public import Units

/// Estimates another host's clock from exchanges with it.
///
/// Keeps every exchange of the last two seconds, and of each second before that the lowest forward
/// and the lowest reverse difference; through these it lays the ``MaxMarginLine``. The first
/// exchange gives an estimate already, if a coarse one. See `docs/time.md`.
public struct SyncEstimator: Sendable {
  /// Why the window was begun anew.
  public enum Restart: Hashable, Sendable {
    /// The caller said so: another coordinator, another run of it, a suspend.
    case requested
    /// For a while no round trip came near the floor: the path is another.
    case floorRose
    /// The points contradict one another: a clock has jumped or bent.
    case contradiction
    /// Better stamps have become available.
    case betterStamps
    /// The good stamps have dried up, and worse ones are all there is.
    case worseStamps
  }

  /// The most exchanges kept whole.
  static let mostRecent = 256

  private let policy: SyncPolicy
  private var base: Int64 = 0
  private var recent: [Sample] = []
  private var seconds: [Second] = []
  private var kind = StampKind.userSpace
  private var lastOfKind: HostInstant?
  private var lastNearFloor: HostInstant?
  private var floor = Double.infinity
  private var ratePrior = 0.0
  private var count = 0
  private var current: OffsetEstimate?

  /// An exchange, with its differences taken from `base`.
  private struct Sample: Sendable {
    let instant: HostInstant
    let forwardAt: HostInstant
    let forward: Double
    let reverse: Double
    var roundTrip: Double { forward + reverse }
  }

  /// The lowest of a second in each direction.
  private struct Second: Sendable {
    let number: Int64
    var forward: (at: HostInstant, value: Double)
    var reverse: (at: HostInstant, value: Double)
  }

  /// Makes an estimator that knows nothing yet but, perhaps, a rate measured earlier.
  public init(policy: SyncPolicy = SyncPolicy(), ratePrior: ClockRate = .zero) {
    self.policy = policy
    self.ratePrior = ratePrior.fraction
  }

  /// The present estimate; nothing before the first exchange.
  public var estimate: OffsetEstimate? { current }

  /// Forgets all points but not the rate, which belongs to the oscillators.
  public mutating func restart() { clear() }

  /// Takes an exchange in; says so when it made the window begin anew. Exchanges whose times
  /// cannot be are passed over.
  @discardableResult
  public mutating func add(_ exchange: SyncExchange) -> Restart? {
    guard exchange.isPlausible else { return nil }
    var restarted: Restart?
    switch admission(of: exchange) {
    case .refused: return nil
    case .restart(let reason):
      clear()
      restarted = reason
    case .admitted: break
    }
    if count == 0 { begin(with: exchange) }
    lastOfKind = exchange.t4
    append(exchange)
    fit(at: exchange.t4)
    if let reason = contradiction(at: exchange.t4) {
      startOver(from: exchange.t4, reason: reason)
      return reason
    }
    return restarted
  }
}

// Keeping points.
extension SyncEstimator {
  private enum Admission {
    case admitted
    case refused
    case restart(Restart)
  }

  /// Kinds of stamps are never mixed: better ones replace all others, worse ones count only after
  /// five seconds without the better.
  private func admission(of exchange: SyncExchange) -> Admission {
    let offered = exchange.worstKind
    guard count > 0, offered != kind else { return .admitted }
    if offered.rawValue < kind.rawValue { return .restart(.betterStamps) }
    guard let last = lastOfKind, exchange.t4 - last > .seconds(5) else { return .refused }
    return .restart(.worseStamps)
  }

  private mutating func clear() {
    if let current, span(at: current.anchor) > 20e9 { ratePrior = current.skew.fraction }
    recent = []
    seconds = []
    count = 0
    floor = .infinity
    lastNearFloor = nil
  }

  private mutating func begin(with exchange: SyncExchange) {
    kind = exchange.worstKind
    let ahead = exchange.t2.nanoseconds - exchange.t1.nanoseconds
    let back = exchange.t4.nanoseconds - exchange.t3.nanoseconds
    base = ahead / 2 - back / 2
    lastNearFloor = exchange.t4
  }

  private mutating func append(_ exchange: SyncExchange) {
    count += 1
    let sample = Sample(
      instant: exchange.t4, forwardAt: exchange.t1,
      forward: Double(exchange.t2.nanoseconds - exchange.t1.nanoseconds - base),
      reverse: Double(exchange.t4.nanoseconds - exchange.t3.nanoseconds + base))
    recent.append(sample)
    if sample.roundTrip < floor + nearFloor { lastNearFloor = exchange.t4 }
    floor = min(floor, sample.roundTrip)
    thin(at: exchange.t4)
  }

  /// How far above the floor still counts as near it, in nanoseconds.
  private var nearFloor: Double { max(50_000, 0.25 * floor) }

  /// Moves what is older than two seconds into its second, and drops what left the window.
  private mutating func thin(at now: HostInstant) {
    let edge = now - .seconds(2)
    let old = recent.prefix { $0.instant < edge || recent.count > Self.mostRecent }
    for sample in old { fold(sample) }
    recent.removeFirst(old.count)
    let limit = (now - policy.window).nanoseconds / 1_000_000_000
    seconds.removeAll { $0.number < limit }
  }

  private mutating func fold(_ sample: Sample) {
    let number = sample.instant.nanoseconds / 1_000_000_000
    let ahead = (at: sample.forwardAt, value: sample.forward)
    let back = (at: sample.instant, value: sample.reverse)
    guard let last = seconds.indices.last, seconds[last].number == number else {
      seconds.append(Second(number: number, forward: ahead, reverse: back))
      return
    }
    // Points of one second are compared on the present slope: at 100 ppm a second is 100 us.
    let skew = current?.skew.fraction ?? ratePrior
    func level(_ point: (at: HostInstant, value: Double), slope: Double) -> Double {
      point.value - slope * Double(point.at.nanoseconds - sample.instant.nanoseconds)
    }
    if level(ahead, slope: skew) < level(seconds[last].forward, slope: skew) {
      seconds[last].forward = ahead
    }
    if level(back, slope: -skew) < level(seconds[last].reverse, slope: -skew) {
      seconds[last].reverse = back
    }
  }
}

// Fitting.
extension SyncEstimator {
  private func span(at now: HostInstant) -> Double {
    let first = seconds.first?.forward.at ?? recent.first?.instant ?? now
    return Double(now.nanoseconds - first.nanoseconds)
  }

  private mutating func fit(at now: HostInstant) {
    func point(_ at: HostInstant, _ value: Double) -> MaxMarginLine.Point {
      MaxMarginLine.Point(x: Double(at.nanoseconds - now.nanoseconds), value: value)
    }
    let line = MaxMarginLine(
      forward: seconds.map { point($0.forward.at, $0.forward.value) }
        + recent.map { point($0.forwardAt, $0.forward) },
      reverse: seconds.map { point($0.reverse.at, $0.reverse.value) }
        + recent.map { point($0.instant, $0.reverse) },
      ageing: policy.ageing.fraction, prior: ratePrior, priorDeviation: priorDeviation(at: now),
      limit: policy.rateLimit.fraction)
    let fit = line.fit()
    let jitter = jitterBound(of: fit, points: line.forward.count, at: now)
    current = OffsetEstimate(
      anchor: now, offsetNanoseconds: base + Int64(fit.offset.rounded()),
      skew: ClockRate(fraction: fit.skew), jitterBoundNanoseconds: Int64(jitter.rounded(.up)),
      boundGrowth: growth(of: fit, jitter: jitter, at: now),
      floorRoundTripNanoseconds: Int64(max(0, floor).rounded(.up)), stampKind: kind,
      exchangeCount: count, lastExchange: now)
  }

  /// A short window says little about the rate: until it spans 30 s the prior leads.
  private func priorDeviation(at now: HostInstant) -> Double {
    span(at: now) < 30e9 ? policy.ratePrior.fraction : policy.rateLimit.fraction
  }

  /// Half of what the floors leave open in both directions, the rest of the rate over the time to
  /// the middle of a young window, and what the stamps hide.
  private func jitterBound(
    of fit: MaxMarginLine.Fit, points: Int, at now: HostInstant
  ) -> Double {
    let few = points < 3 ? max(0, fit.floor) / 2 : 0
    let scarce = 1.6 + 16 / Double(points)
    let allowance =
      switch kind {
      case .kernel: 150.0
      case .scheduled: policy.scheduledAllowanceNanoseconds
      case .userSpace: policy.userSpaceAllowanceNanoseconds
      }
    return few + scarce * fit.spread + allowance
  }

  private func growth(of fit: MaxMarginLine.Fit, jitter: Double, at now: HostInstant) -> ClockRate {
    let span = max(span(at: now), 50e6)
    let measured = 4 * jitter / span
    let most = 2 * policy.ratePrior.fraction
    return ClockRate(fraction: min(most, measured) + policy.ageing.fraction)
  }

  /// The floors of a sound window lie no lower than half the least round trip that was seen; a
  /// window whose recent round trips are all far above the floor is of another path.
  private func contradiction(at now: HostInstant) -> Restart? {
    if let near = lastNearFloor, now - near > policy.floorPatience { return .floorRose }
    guard let current, count > 16, span(at: now) > 1e9 else { return nil }
    let fitted = lineFloor(of: current, at: now)
    return fitted < min(0.5 * floor, floor - 20_000) ? .contradiction : nil
  }

  /// The round trip between the two floors of the present line, in nanoseconds.
  private func lineFloor(of estimate: OffsetEstimate, at now: HostInstant) -> Double {
    let offset = Double(estimate.offsetNanoseconds - base)
    let skew = estimate.skew.fraction
    func excess(_ at: HostInstant, _ value: Double, _ sign: Double) -> Double {
      let x = Double(at.nanoseconds - now.nanoseconds)
      return value - sign * (offset + skew * x) + policy.ageing.fraction * abs(x)
    }
    let ahead =
      seconds.map { excess($0.forward.at, $0.forward.value, 1) }
      + recent.map { excess($0.forwardAt, $0.forward, 1) }
    let back =
      seconds.map { excess($0.reverse.at, $0.reverse.value, -1) }
      + recent.map { excess($0.instant, $0.reverse, -1) }
    return (ahead.min() ?? 0) + (back.min() ?? 0)
  }

  /// Keeps what came in the last second and forgets the rest.
  private mutating func startOver(from now: HostInstant, reason: Restart) {
    let kept = recent.filter { now - $0.instant < .seconds(1) }
    clear()
    recent = kept
    count = kept.count
    floor = kept.map(\.roundTrip).min() ?? .infinity
    lastNearFloor = now
    if reason == .contradiction { ratePrior = current?.skew.fraction ?? ratePrior }
    if !kept.isEmpty { fit(at: now) }
  }
}
