public import Units

/// A card's crystal as seen by the host's clock: a line from frames to host time.
///
/// An observation says that so many frames had been taken when the host's clock was read. It can
/// only be late, never early: the pointer moves in steps and is looked at some time after. So of
/// each quarter of a second the earliest observation is kept, and the line goes through those.
///
/// Count c is reached when frame c − 1 is taken: that is the convention throughout.
public struct SampleClock: Sendable {
  /// The span of which the earliest observation is kept.
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
      (x: Double(bin.count - last.count), y: Double(bin.host - last.host) - Self.bias(of: bin))
    }
    let (slope, level) = lineThrough(points)
    let residuals = points.map { $0.y - (level + slope * $0.x) }
    let deviation = residuals.map { $0 * $0 }.reduce(0, +) / Double(points.count)
    let bias = used.map(Self.bias).reduce(0, +) / Double(used.count)
    let few = max(1, 8 / Double(points.count))
    let bound = 200 + few * (bias + 3 * deviation.squareRoot())
    line = Line(
      count: Double(last.count),
      host: HostInstant(nanoseconds: last.host + Int64(level.rounded())),
      nanosecondsPerFrame: slope, boundNanoseconds: Int64(bound.rounded(.up)),
      spanSeconds: Double(last.host - (bins.first?.host ?? last.host)) * 1e-9)
  }

  /// Least squares through the earliest observations; with less than two seconds of them, through
  /// the earliest of all at the nominal rate.
  private func lineThrough(_ points: [(x: Double, y: Double)]) -> (slope: Double, level: Double) {
    guard points.count >= 8 else {
      let level = points.map { $0.y - nominal * $0.x }.min() ?? 0
      return (nominal, level)
    }
    let count = Double(points.count)
    let meanX = points.map(\.x).reduce(0, +) / count
    let meanY = points.map(\.y).reduce(0, +) / count
    var xx = 0.0
    var xy = 0.0
    for point in points {
      xx += (point.x - meanX) * (point.x - meanX)
      xy += (point.x - meanX) * (point.y - meanY)
    }
    let slope = xx > 0 ? xy / xx : nominal
    return (slope, meanY - slope * meanX)
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

  /// The frame that is taken nearest to `host`; nothing before the first observation.
  public func index(nearest host: HostInstant) -> SampleIndex? {
    guard let line else { return nil }
    let elapsed = Double(host.nanoseconds - line.host.nanoseconds)
    return SampleIndex(Int64((line.count + elapsed / line.nanosecondsPerFrame).rounded()) - 1)
  }
}
