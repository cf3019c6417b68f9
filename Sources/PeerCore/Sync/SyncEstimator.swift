public import Units

/// Estimates another host's clock from exchanges with it.
///
/// Lays the ``MaxMarginLine`` below what both directions of the path have shown. The first
/// exchange gives an estimate already, if a coarse one. See `docs/time.md`.
public struct SyncEstimator: Sendable {
  /// Why the window was begun anew.
  public enum Restart: Hashable, Sendable {
    /// For a while no delay came near the floors, in both directions: the path is another.
    case floorRose
    /// The points contradict one another: a clock has jumped or bent.
    case contradiction
    /// Better stamps have become available.
    case betterStamps
    /// The good stamps have dried up, and worse ones are all there is.
    case worseStamps
  }

  let policy: SyncPolicy
  /// The offset from which all differences are counted, so that a `Double` holds them exactly.
  var base: Int64 = 0
  var forward = DelayFloor()
  var reverse = DelayFloor()
  var kind = StampKind.userSpace
  /// The newest arrival of a reply: "now" of every fit.
  var newest = HostInstant(nanoseconds: .min)
  var floor = Double.infinity
  var prior: Double
  var priorDeviation: Double
  var count = 0
  var current: OffsetEstimate?
  var fitted: Fitted?

  /// Makes an estimator that knows nothing yet but, perhaps, a rate measured earlier and its
  /// standard deviation.
  public init(
    policy: SyncPolicy = SyncPolicy(), ratePrior: ClockRate = .zero,
    rateDeviation: ClockRate? = nil
  ) {
    self.policy = policy
    prior = ratePrior.fraction
    priorDeviation = (rateDeviation ?? policy.ratePrior).fraction
  }

  /// The present estimate; nothing before the first exchange.
  public var estimate: OffsetEstimate? { current }

  /// Forgets all exchanges but keeps the rate, which belongs to the two oscillators: for
  /// another run of the same peer, or after a suspend.
  public mutating func restart() { startOver(keeping: .max) }

  /// Takes an exchange in; says so when it made the window begin anew. Exchanges whose times
  /// cannot be are passed over.
  @discardableResult
  public mutating func add(_ exchange: SyncExchange) -> Restart? {
    guard exchange.isPlausible else { return nil }
    var restarted: Restart?
    switch admission(of: exchange) {
    case .refused: return nil
    case .restart(let reason):
      startOver(keeping: .max)
      restarted = reason
    case .admitted: break
    }
    if count == 0 { begin(with: exchange) }
    insert(exchange)
    guard needsFit(for: exchange) else {
      current = current?.touched(at: newest, exchanges: count)
      return restarted
    }
    fit()
    guard let reason = contradiction() else { return restarted }
    if reason == .contradiction { (prior, priorDeviation) = (0, policy.ratePrior.fraction) }
    startOver(keeping: newest.nanoseconds - Self.keptAtRestart)
    if count > 0 { fit() }
    return reason
  }
}

// Keeping observations.
extension SyncEstimator {
  /// How much of the newest survives a restart that the observations themselves brought about,
  /// in nanoseconds.
  static let keptAtRestart: Int64 = 1_000_000_000

  enum Admission {
    case admitted
    case refused
    case restart(Restart)
  }

  /// Kinds of stamps are never mixed: better ones replace all others, worse ones count only after
  /// five seconds without the better.
  func admission(of exchange: SyncExchange) -> Admission {
    let offered = exchange.worstKind
    guard count > 0, offered != kind else { return .admitted }
    if offered.rawValue < kind.rawValue { return .restart(.betterStamps) }
    return exchange.t4 - newest > .seconds(5) ? .restart(.worseStamps) : .refused
  }

  private mutating func begin(with exchange: SyncExchange) {
    kind = exchange.worstKind
    let ahead = exchange.t2.nanoseconds - exchange.t1.nanoseconds
    let back = exchange.t4.nanoseconds - exchange.t3.nanoseconds
    base = ahead / 2 - back / 2
    newest = exchange.t4
  }

  private mutating func insert(_ exchange: SyncExchange) {
    count += 1
    newest = max(newest, exchange.t4)
    floor = min(floor, Double(exchange.roundTripNanoseconds))
    forward.insert(Self.ahead(exchange, base: base))
    reverse.insert(Self.back(exchange, base: base))
    let window = policy.window.wholeNanoseconds
    let skew = current?.skew.fraction ?? prior
    forward.thin(at: newest.nanoseconds, window: window, slope: skew)
    reverse.thin(at: newest.nanoseconds, window: window, slope: -skew)
  }

  static func ahead(_ exchange: SyncExchange, base: Int64) -> DelayFloor.Observation {
    DelayFloor.Observation(
      at: exchange.t1.nanoseconds,
      value: Double(exchange.t2.nanoseconds - exchange.t1.nanoseconds - base))
  }

  static func back(_ exchange: SyncExchange, base: Int64) -> DelayFloor.Observation {
    DelayFloor.Observation(
      at: exchange.t4.nanoseconds,
      value: Double(exchange.t4.nanoseconds - exchange.t3.nanoseconds + base))
  }

  /// Forgets what is older than `start`, but not a rate that was measured well.
  private mutating func startOver(keeping start: Int64) {
    if let current, let fitted, fitted.rateDoubt < priorDeviation {
      prior = current.skew.fraction
      // An oscillator wanders on: no rate is known for ever.
      priorDeviation = max(fitted.rateDoubt, 2 * policy.ageing.fraction)
    }
    forward.forget(before: start)
    reverse.forget(before: start)
    count = min(forward.observations.count, reverse.observations.count)
    if count == 0 {
      forward = DelayFloor()
      reverse = DelayFloor()
      current = nil
    }
    floor = .infinity
    fitted = nil
  }
}
