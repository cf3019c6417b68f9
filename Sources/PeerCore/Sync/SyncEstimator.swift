public import Units

/// Estimates another host's clock from exchanges with it.
///
/// Lays the ``MaxMarginLine`` below what both directions of the path have shown; where its floors
/// are sharp, an ``OffsetFilter`` finds the offset within what the line leaves open. The first
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
  /// The least round trip since the window began, in nanoseconds.
  var floor = Double.infinity
  var prior: Double
  var priorDeviation: Double
  var count = 0
  /// Exchanges in a row whose stamps were worse than those that are counted.
  var worse = 0
  /// Exchanges that contradict the window, since the last that bore it out.
  var suspects: [SyncExchange] = []
  /// An exchange that went by two paths, it seems, and waits for the next.
  var halfway: SyncExchange?
  var current: OffsetEstimate?
  var fitted: Fitted?
  var restlessness: Restlessness
  var filter = OffsetFilter()
  /// Whether no exchange has come for a while, as far as that was said.
  var isResting = false

  /// Makes an estimator that knows nothing yet but, perhaps, a rate measured earlier and its
  /// standard deviation.
  public init(
    policy: SyncPolicy = SyncPolicy(), ratePrior: ClockRate = .zero,
    rateDeviation: ClockRate? = nil
  ) {
    self.policy = policy
    restlessness = Restlessness(least: policy.ageing.fraction)
    prior = ratePrior.fraction
    priorDeviation = (rateDeviation ?? policy.ratePrior).fraction
  }

  /// The present estimate; nothing before the first exchange.
  public var estimate: OffsetEstimate? { sharpened ?? current }

  /// Whether the latest exchanges contradict all those before: either they are wrong or a clock has
  /// jumped, as one does that stood still while its host slept. Until that is settled the estimate
  /// is not to be used for anything new.
  public private(set) var isDoubted = false

  /// For how long after an exchange the filter's rate is good without more allowance, in nanoseconds.
  static let freshness: Int64 = 2_000_000_000

  /// Takes note that it is `now`: where exchanges stay away the estimate's bound grows as over
  /// minutes, not as between two exchanges. At once where it is certain that none will come.
  ///
  /// - Returns: Whether the estimate is another by that.
  public mutating func rest(at now: HostInstant, isForSure: Bool = false) -> Bool {
    guard !isResting, count > 0 else { return false }
    guard isForSure || now.nanoseconds - newest.nanoseconds > Self.freshness else { return false }
    isResting = true
    return sharpened != nil
  }

  /// Forgets all exchanges but keeps the rate, which belongs to the two oscillators: for
  /// another run of the same peer, or after a suspend.
  public mutating func restart() { startOver() }

  /// Takes an exchange in; says so when it made the window begin anew. Exchanges whose times
  /// cannot be are passed over, and so is one that stands alone against all others.
  @discardableResult
  public mutating func add(_ exchange: SyncExchange) -> Restart? {
    guard exchange.isPlausible else { return nil }
    switch admission(of: exchange) {
    case .refused: return nil
    case .restart(let reason):
      let first = reason == .contradiction ? suspects : [exchange]
      startOver(ratesMayDiffer: reason == .contradiction)
      for each in first { insert(each) }
      fit()
      return reason
    case .admitted:
      if let halfway { insert(halfway) } else if isHalfway(exchange) { return wait(with: exchange) }
      halfway = nil
      insert(exchange)
    }
    guard needsFit(for: exchange) else {
      current = current?.touched(at: newest, exchanges: count)
      return nil
    }
    fit()
    return reconsider(after: exchange)
  }

  /// Lets an exchange wait for the next one, which shows the path as it is now in both directions.
  private mutating func wait(with exchange: SyncExchange) -> Restart? {
    halfway = exchange
    return nil
  }

  /// Begins anew where the fit that `exchange` led to cannot be of one path and two clocks.
  private mutating func reconsider(after exchange: SyncExchange) -> Restart? {
    if isImpossible {
      startOver(ratesMayDiffer: true)
      insert(exchange)
      fit()
      return .contradiction
    }
    guard let start = startOfRise() else { return nil }
    forward.forget(before: start)
    reverse.forget(before: start)
    count = max(forward.observations.count, reverse.observations.count)
    floor = .infinity
    fit()
    return .floorRose
  }
}

// Keeping observations.
extension SyncEstimator {
  /// After how many exchanges that contradict the window it is the window that is wrong, where none in
  /// between bore it out: on a sparse path many come that say nothing.
  static let mostSuspects = 3
  /// How long, and over how many exchanges, good stamps must be missing before worse ones count.
  static let stampPatience = Duration.seconds(5)
  static let stampPatienceCount = 8

  enum Admission {
    case admitted
    case refused
    case restart(Restart)
  }

  /// Kinds of stamps are never mixed, and a lone exchange that cannot be is not believed.
  private mutating func admission(of exchange: SyncExchange) -> Admission {
    guard count > 0 else { return .admitted }
    let offered = exchange.worstKind
    if offered.rawValue < kind.rawValue { return .restart(.betterStamps) }
    if offered.rawValue > kind.rawValue {
      worse += 1
      let dry = worse >= Self.stampPatienceCount && exchange.t4 - newest > Self.stampPatience
      return dry ? .restart(.worseStamps) : .refused
    }
    worse = 0
    isDoubted = contradicts(exchange)
    guard isDoubted else {
      if touches(exchange) { suspects = [] }
      return .admitted
    }
    suspects.append(exchange)
    return suspects.count < Self.mostSuspects ? .refused : .restart(.contradiction)
  }

  private mutating func insert(_ exchange: SyncExchange) {
    if count == 0 { begin(with: exchange) }
    count += 1
    isResting = false
    newest = max(newest, exchange.t4)
    floor = min(floor, Double(exchange.roundTripNanoseconds))
    forward.insert(Self.ahead(exchange, base: base))
    reverse.insert(Self.back(exchange, base: base))
    let window = policy.window.wholeNanoseconds
    let skew = current?.skew.fraction ?? prior
    forward.thin(at: newest.nanoseconds, window: window, slope: skew)
    reverse.thin(at: newest.nanoseconds, window: window, slope: -skew)
    let ahead = Self.ahead(exchange, base: base).value
    let back = Self.back(exchange, base: base).value
    filter.add(
      offset: (ahead - back) / 2, roundTrip: ahead + back, at: exchange.t4.nanoseconds,
      prior: prior, priorDeviation: priorDeviation, ageing: restlessness.ageing)
  }

  private mutating func begin(with exchange: SyncExchange) {
    kind = exchange.worstKind
    let ahead = exchange.t2.nanoseconds - exchange.t1.nanoseconds
    let back = exchange.t4.nanoseconds - exchange.t3.nanoseconds
    base = ahead / 2 - back / 2
    newest = exchange.t4
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

  /// Forgets all but a rate that was measured well; how well it holds, where it `mayDiffer`.
  private mutating func startOver(ratesMayDiffer mayDiffer: Bool = false) {
    if let current, let fitted, fitted.line.skewDoubt < priorDeviation {
      prior = current.skew.fraction
      // An oscillator wanders on: no rate is known for ever.
      priorDeviation = max(fitted.line.skewDoubt, 2 * restlessness.ageing)
    }
    if mayDiffer { priorDeviation = policy.ratePrior.fraction }
    forward = DelayFloor()
    reverse = DelayFloor()
    count = 0
    worse = 0
    suspects = []
    isDoubted = false
    halfway = nil
    floor = .infinity
    current = nil
    fitted = nil
    restlessness.begin()
    filter = OffsetFilter()
  }
}
