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
  /// The number of such spans that the line is laid through: 30 s.
  static let mostBins = 120
  /// What is left out at a stream's beginning, where some cards have a transient.
  static let settling = Duration.seconds(1)
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

  private struct Bin: Sendable {
    let number: Int64
    var count: Int64
    var host: Int64
    /// The sum of all observations' lateness against the earliest, to judge the pointer's steps.
    var lateness: Double
    var observations: Int
  }

  /// The card's nominal rate.
  public let rate: SampleRate
  private let started: HostInstant
  private var bins: [Bin] = []
  /// The fitted line; nothing before the first observation.
  public private(set) var line: Line?

  /// Begins with a stream that was started at `started`.
  public init(rate: SampleRate, started: HostInstant) {
    self.rate = rate
    self.started = started
  }

  private var nominal: Double { 1e9 / Double(rate.hertz) }

  /// Takes in that `count` frames had been taken at `host`.
  public mutating func observe(count: FrameCount, at host: HostInstant) {
    let settled = host - started >= Self.settling
    // The transient is used for want of better, and forgotten as soon as there is better.
    if settled, let first = bins.first, isTransient(first) { bins = [] }
    let number = host.nanoseconds / Self.binNanoseconds
    let isNewBin = bins.last?.number != number
    insert(count.value, host.nanoseconds, number)
    if isNewBin || bins.count < 8 || line == nil { fit() }
  }

  private func isTransient(_ bin: Bin) -> Bool {
    HostInstant(nanoseconds: bin.host) - started < Self.settling
  }

  private mutating func insert(_ count: Int64, _ host: Int64, _ number: Int64) {
    guard let last = bins.last, last.number == number else {
      bins.append(Bin(number: number, count: count, host: host, lateness: 0, observations: 1))
      if bins.count > Self.mostBins { bins.removeFirst() }
      return
    }
    let spacing = line?.nanosecondsPerFrame ?? nominal
    let late = Double(host - last.host) - Double(count - last.count) * spacing
    let place = bins.count - 1
    bins[place].observations += 1
    if late < 0 {
      // A new earliest: all the others are later by that much more.
      bins[place].lateness += -late * Double(last.observations)
      bins[place].count = count
      bins[place].host = host
    } else {
      bins[place].lateness += late
    }
  }

  /// How late the earliest of a bin's observations is on average, in nanoseconds: with n of them
  /// spread evenly over a step w, w/(n + 1).
  private static func bias(of bin: Bin) -> Double {
    guard bin.observations > 1 else { return 0 }
    let count = Double(bin.observations)
    let step = 2 * bin.lateness / (count - 1)
    return step / (count + 1)
  }

  private mutating func fit() {
    guard let last = bins.last else { return }
    // The newest bin is not complete, so it counts only while there is little else.
    let used = bins.count > 4 ? bins.dropLast() : bins[...]
    let points = used.map { bin in
      Point(
        frames: Double(bin.count - last.count),
        nanoseconds: Double(bin.host - last.host) - Self.bias(of: bin))
    }
    let bias = used.map(Self.bias).reduce(0, +) / Double(used.count)
    let fit = Fit(points, nominal: nominal, noise: max(200, bias))
    line = Line(
      count: Double(last.count),
      host: HostInstant(nanoseconds: last.host + Int64(fit.level.rounded())),
      nanosecondsPerFrame: fit.slope,
      boundNanoseconds: Int64((bound(of: fit, points: points.count, bias: bias)).rounded(.up)),
      rateBound: ClockRate(fraction: 3 * fit.slopeDeviation / nominal),
      spanSeconds: Double(last.host - (bins.first?.host ?? last.host)) * 1e-9)
  }

  /// What is open of the line at its newest end, in nanoseconds.
  private func bound(of fit: Fit, points: Int, bias: Double) -> Double {
    let few = max(1, 8 / Double(points))
    // One look at the pointer tells nothing of how late it was: a period, perhaps.
    let looks = bins.reduce(0) { $0 + $1.observations }
    let unknown = looks < 8 ? 10_000_000 / Double(looks) : 0
    return 200 + unknown + few * (bias + 3 * fit.residualDeviation)
      + 3 * fit.slopeDeviation * abs(fit.middle)
  }
}

extension SampleClock {
  private struct Point {
    let frames: Double
    let nanoseconds: Double
  }

  /// Least squares through the earliest observations, drawn to the nominal rate as far as a
  /// crystal's usual excess is known better than what little there is to see.
  private struct Fit {
    /// What a crystal against a host's clock is likely within, one deviation.
    static let likelyExcess = 100e-6

    let slope: Double
    /// Nanoseconds at frame 0.
    let level: Double
    /// The points' mean frame.
    let middle: Double
    let residualDeviation: Double
    let slopeDeviation: Double

    init(_ points: [Point], nominal: Double, noise: Double) {
      let count = Double(points.count)
      let middle = points.map(\.frames).reduce(0, +) / count
      let mean = points.map(\.nanoseconds).reduce(0, +) / count
      let prior = noise / (Self.likelyExcess * nominal) * noise / (Self.likelyExcess * nominal)
      var xx = prior
      var xy = 0.0
      for point in points {
        let along = point.frames - middle
        xx += along * along
        xy += along * (point.nanoseconds - mean - nominal * along)
      }
      let slope = nominal + xy / xx
      let level = mean - slope * middle
      let squares = points.map { point in
        let residual = point.nanoseconds - level - slope * point.frames
        return residual * residual
      }
      self.slope = slope
      self.level = level
      self.middle = middle
      residualDeviation = (squares.reduce(0, +) / count).squareRoot()
      slopeDeviation = max(noise, residualDeviation) / xx.squareRoot()
    }
  }
}

extension SampleClock {
  /// By how much the crystal is fast against the host's clock; nothing until two seconds are seen.
  public var excess: ClockRate? {
    guard let line, line.spanSeconds >= 2 else { return nil }
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
