public import Units

/// A card's crystal as seen by the host's clock: a line from frames to host time.
///
/// An observation says that so many frames had been taken when the host's clock was read. It can
/// only be late, never early: the pointer moves in steps and is looked at some time after. So of
/// each quarter of a second the earliest observation is kept, and the line goes through those.
///
/// Count c is reached when frame c − 1 is taken: that is the convention throughout.
public struct SampleClock: Sendable {
  /// The span of which the earliest observation is kept, in nanoseconds.
  static let binNanoseconds: Int64 = 250_000_000
  /// The number of such spans that the line is laid through: 30 s. Beyond that a crystal wanders by
  /// more than looks are late, unless the pointer is coarse: then 60 s.
  static let mostFine = 120
  static let mostBins = 240
  /// Looks that are spread in lateness over so many nanoseconds are of a coarse pointer.
  static let coarseNanoseconds = 100_000.0
  /// How many looks at the pointer make the earliest of them worth believing.
  static let fewestLooks = 12
  /// A rate that is known no better than this is not worth keeping.
  static let believableRateBound = ClockRate(partsPerMillion: 40)
  /// Up to so many spans all looks are kept, and judged anew whenever more is known of the rate.
  static let youngBins = 12
  /// From so many spans on the line is laid anew each second: it hardly changes any more.
  static let oldBins = 60
  /// What is left out at a stream's beginning, where some cards have a transient.
  static let settling = Duration.seconds(1)
  /// What a reading around the call leaves open that a driver's stamp does not, in nanoseconds:
  /// the call itself, and a pointer that is only as fresh as the last interrupt.
  static let unstampedNanoseconds = 100_000.0
  /// A rate this far from nominal is a fault of the card, not of its crystal.
  public static let plausibleExcess = ClockRate(partsPerMillion: 1000)

  /// The line as it was fitted last.
  public struct Line: Hashable, Sendable {
    /// A count of frames, and when it was reached.
    public let count: Double
    public let host: HostInstant
    public let nanosecondsPerFrame: Double
    /// By how much the line may be off at `host`, in nanoseconds.
    public let boundNanoseconds: Int64
    /// By how much the rate may be off: what is open grows by it, away from `host`.
    public let rateBound: ClockRate
    /// How long the observations span on which it rests, in seconds.
    public let spanSeconds: Double
  }

  /// The card's nominal rate.
  public let rate: SampleRate
  private let started: HostInstant
  private var bins: [SampleSpan] = []
  private var prior: SampleFit.Prior
  /// Which part of the latest looks had no stamp of the driver.
  private var unstamped = 0.0
  /// The fitted line; nothing before the first observation.
  public private(set) var line: Line?

  /// Begins with a stream that was started at `started`.
  public init(rate: SampleRate, started: HostInstant) {
    self.rate = rate
    self.started = started
    prior = SampleFit.Prior(nominal: 1e9 / Double(rate.hertz))
  }

  /// Forgets where the frames lay, but not how long they are: frames were lost, and how many is
  /// not known to the frame.
  public mutating func startAnew() {
    if let line, line.rateBound < Self.believableRateBound {
      prior = SampleFit.Prior(
        measured: line.nanosecondsPerFrame,
        bound: line.nanosecondsPerFrame * line.rateBound.fraction)
    }
    bins = []
  }

  /// Forgets what was seen after `host`: it was of another count.
  public mutating func forget(after host: HostInstant) {
    bins.removeAll { $0.host > host.nanoseconds }
    if !bins.isEmpty { fit() }
  }

  /// The line for whoever may neither allocate nor wait; nothing before the first observation.
  public var streamLine: StreamLine? {
    line.map {
      StreamLine(
        count: $0.count, hostNanoseconds: $0.host.nanoseconds,
        nanosecondsPerFrame: $0.nanosecondsPerFrame,
        boundNanoseconds: Double($0.boundNanoseconds), rateBound: $0.rateBound.fraction)
    }
  }

  private var nominal: Double { 1e9 / Double(rate.hertz) }

  /// Takes in that `count` frames had been taken at `host`.
  ///
  /// - Parameter isStamped: whether the driver said when; else `host` is a reading around the
  ///   call, and the bound is wider by what such a reading leaves open.
  /// - Parameter isEdge: whether the pointer was seen to move at `host`; else it may have stood
  ///   there for up to a step.
  public mutating func observe(
    count: FrameCount, at host: HostInstant, isStamped: Bool = true, isEdge: Bool = false
  ) {
    unstamped += ((isStamped ? 0 : 1) - unstamped) / 256
    let settled = host - started >= Self.settling
    // The transient is used for want of better, and forgotten as soon as there is better.
    if settled, let first = bins.first, isTransient(first) { bins = [] }
    let number = host.nanoseconds / Self.binNanoseconds
    let isNewBin = bins.last?.number != number
    insert(SampleSpan.Look(count: count.value, host: host.nanoseconds, isEdge: isEdge), number)
    if bins.count < Self.oldBins ? isNewBin || bins.count < 8 : isNewBin && number % 4 == 0 {
      fit()
    }
  }

  private func isTransient(_ bin: SampleSpan) -> Bool {
    HostInstant(nanoseconds: bin.host) - started < Self.settling
  }

  private mutating func insert(_ look: SampleSpan.Look, _ number: Int64) {
    guard let last = bins.last, last.number == number else {
      bins.append(SampleSpan(number: number, first: look))
      if bins.count > Self.mostBins { bins.removeFirst() }
      return
    }
    bins[bins.count - 1].add(look, spacing: line?.nanosecondsPerFrame ?? nominal)
  }

  private mutating func fit() {
    guard let last = bins.last else { return }
    if bins.count <= Self.youngBins {
      // What was earliest was judged by a rate that was hardly known: it is judged again.
      let slope = laid(usedBins, from: last).slope
      for place in bins.indices { bins[place].judge(spacing: slope) }
    } else {
      for place in bins.indices.dropLast() { bins[place].forget() }
    }
    let used = usedBins
    let fit = laid(used, from: last)
    let bias = Self.bias(of: used)
    let oldest = bins.suffix(max(used.count + 1, Self.mostFine)).first
    let bound =
      unknown(of: used) + Self.bound(of: fit, points: used.count, bias: bias)
      + min(1, 4 * unstamped) * Self.unstampedNanoseconds
    line = Line(
      count: Double(last.count),
      host: HostInstant(nanoseconds: last.host + Int64(fit.level.rounded())),
      nanosecondsPerFrame: fit.slope, boundNanoseconds: Int64(bound.rounded(.up)),
      rateBound: ClockRate(fraction: 3 * fit.slopeDeviation / nominal),
      spanSeconds: Double(last.host - (oldest?.host ?? last.host)) * 1e-9)
  }

  /// The line through the spans `used` as they are judged, with `origin` as its frame 0.
  private func laid(_ used: [SampleSpan], from origin: SampleSpan) -> SampleFit {
    let step = used.step
    let points = used.map { bin in
      SampleFit.Point(
        frames: Double(bin.count - origin.count),
        nanoseconds: Double(bin.host - origin.host) - bin.bias(ofStep: step))
    }
    let noise = max(200, Self.bias(of: used)) + unknown(of: used)
    let fit = SampleFit(points, prior: prior, noise: noise)
    guard step >= Self.coarseNanoseconds else { return fit }
    // What of the correction is meant for lateness that the lowest do not have is put back.
    let share = SampleFit.share(of: points.count)
    let raised = zip(points, used).map { point, bin in
      let excess = bin.bias(ofStep: step) - bin.leastBias(ofStep: step, among: share)
      return SampleFit.Point(frames: point.frames, nanoseconds: point.nanoseconds + excess)
    }
    return fit.drawn(to: raised, prior: prior, noise: noise)
  }

  /// How late the earliest looks of spans are on average, in nanoseconds.
  private static func bias(of spans: [SampleSpan]) -> Double {
    let step = spans.step
    return spans.reduce(0) { $0 + $1.bias(ofStep: step) } / Double(spans.count)
  }

  /// One look at the pointer tells nothing of how late it was: a period, perhaps. In nanoseconds.
  private func unknown(of used: [SampleSpan]) -> Double {
    let looks = used.reduce(0) { $0 + $1.worth }
    return looks < Self.fewestLooks ? 10_000_000 / Double(looks) : 0
  }

  /// The spans that the line is laid through.
  ///
  /// The newest is not complete, so it counts only while there is little else. Those with few
  /// looks, such as the first of all, count only where most are so; those that are late, never.
  private var usedBins: [SampleSpan] {
    let all = bins.count > 4 ? bins.dropLast() : bins[...]
    let isCoarse = Array(all.suffix(Self.mostFine)).step >= Self.coarseNanoseconds
    let complete = isCoarse ? Array(all) : Array(all.suffix(Self.mostFine))
    let worthy = complete.filter { $0.worth >= Self.fewestLooks }
    return (!worthy.isEmpty && worthy.count * 2 >= complete.count ? worthy : complete).timely
  }

  /// What is open of the line at its newest end, in nanoseconds.
  private static func bound(of fit: SampleFit, points: Int, bias: Double) -> Double {
    let few = max(1, 8 / Double(points))
    return 200 + few * (bias + 3 * fit.residualDeviation)
      + 3 * fit.slopeDeviation * abs(fit.middle)
  }
}

extension SampleClock {
  /// By how much the crystal is fast against the host's clock; nothing until that is known to 40 ppm.
  public var excess: ClockRate? {
    guard let line, line.rateBound < Self.believableRateBound else { return nil }
    return ClockRate(fraction: nominal / line.nanosecondsPerFrame - 1)
  }

  /// When frame `index` is taken, in host time; nothing before the first observation.
  public func host(of index: SampleIndex) -> HostInstant? {
    guard let line else { return nil }
    let frames = Double(index.value + 1) - line.count
    return HostInstant(
      nanoseconds: line.host.nanoseconds + Int64((frames * line.nanosecondsPerFrame).rounded()))
  }

  /// By how much ``host(of:)`` may be off at `index`, in nanoseconds; nothing before the first
  /// observation.
  public func boundNanoseconds(at index: SampleIndex) -> Int64? {
    guard let line else { return nil }
    let distance = abs(Double(index.value + 1) - line.count) * line.nanosecondsPerFrame
    return line.boundNanoseconds + Int64((distance * line.rateBound.fraction).rounded(.up))
  }

  /// Whether there is enough to see to cut by: eight spans beyond the stream's beginning.
  public var isSteady: Bool { (line?.spanSeconds ?? 0) >= 2 && bins.count > 8 }

  /// The frame that is taken nearest to `host`; nothing before the first observation.
  public func index(nearest host: HostInstant) -> SampleIndex? {
    guard let line else { return nil }
    let elapsed = Double(host.nanoseconds - line.host.nanoseconds)
    return SampleIndex(Int64((line.count + elapsed / line.nanosecondsPerFrame).rounded()) - 1)
  }
}
