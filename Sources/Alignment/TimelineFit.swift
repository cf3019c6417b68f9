public import Units

/// Where a file lies in shared time: a line from frames to shared time, fitted to all that its
/// timing log observed, from the first frame to the last.
///
/// Unlike the recorder's own clocks, which know the past only, the fit weighs the whole take at
/// once. What the observations leave open is told in two figures that are never merged: the
/// jitter bound and the path limit.
public struct TimelineFit: Hashable, Sendable {
  public let sampleRate: SampleRate
  /// By how much the card ran faster than its nominal rate in shared time.
  public let rate: ClockRate
  /// The root of the mean square of the observations' distances from the line, in nanoseconds.
  public let residualNanoseconds: Double
  /// The largest distance of an observation from the line, in nanoseconds.
  public let worstResidualNanoseconds: Double
  /// How far the truth may lie from the line anywhere in the file, but for the path, in
  /// nanoseconds.
  public let jitterBoundNanoseconds: Double
  /// What asymmetry of the path could hide, in nanoseconds: the least that the log saw.
  public let pathLimitNanoseconds: Double
  /// The standard deviation of the line at the file's ends by the observations' spread, in
  /// nanoseconds. Unlike the bound it promises nothing: what all observations have in common it does
  /// not see.
  public let sigmaNanoseconds: Double
  /// How many observations the line was fitted to.
  public let observations: Int

  private let base: SharedInstant
  /// Nanoseconds from `base` to the file's first frame.
  private let firstNanoseconds: Double
  private let nanosecondsPerFrame: Double
  /// What bends upon the line, in nanoseconds by frame; nothing where a line serves as well.
  private let curve: DelayModel

  /// No crystal is further from its nominal rate: a hundred times what cards sell with.
  public static let rateLimit = ClockRate(partsPerMillion: 10_000)
  /// The least spread to reckon with, in nanoseconds.
  static let spreadFloor = 100.0
  /// Observations over less than this do not tell the rate better than the recorder did.
  static let leastSpan = Duration.seconds(2)

  /// Fits the line.
  ///
  /// - Parameters:
  ///   - observations: in order of frame.
  ///   - loggedRate: the card's rate in shared time by the recorder's own account, which holds
  ///     where the observations span less than two seconds.
  public init(
    observations: [TimingObservation], sampleRate: SampleRate, loggedRate: ClockRate
  ) throws(TimelineFitError) {
    guard let first = observations.first, let last = observations.last else {
      throw .nothingObserved
    }
    try Self.checkOrder(observations)
    let nominal = 1e9 / Double(sampleRate.hertz)
    let points = FitPoints(observations, nominalNanoseconds: nominal)
    let line: (height: Double, slope: Double)
    if first.shared.duration(to: last.shared) < Self.leastSpan {
      line = points.level(slope: 1 / (1 + loggedRate.fraction) - 1)
    } else {
      line = points.line(floor: Self.spreadFloor)
    }
    base = first.shared
    self.sampleRate = sampleRate
    nanosecondsPerFrame = nominal * (1 + line.slope)
    firstNanoseconds = line.height - Double(first.frame) * nanosecondsPerFrame
    rate = ClockRate(fraction: 1 / (1 + line.slope) - 1)
    guard abs(rate.fraction) <= Self.rateLimit.fraction else {
      throw .impossibleRate(partsPerMillion: rate.partsPerMillion)
    }
    curve = points.curve(
      about: line, first: first.frame, nominalNanoseconds: nominal)
    let bends = observations.map { [curve] in curve.bend(at: Double($0.frame)) }
    let judged = points.judged(by: line, less: bends)
    residualNanoseconds = judged.root
    worstResidualNanoseconds = judged.worst
    jitterBoundNanoseconds = judged.bound
    sigmaNanoseconds = judged.sigma
    pathLimitNanoseconds = Double(observations.map(\.pathLimitNanoseconds).min() ?? 0)
    self.observations = observations.count
  }

  private static func checkOrder(_ observations: [TimingObservation]) throws(TimelineFitError) {
    for (one, next) in zip(observations, observations.dropFirst())
    where next.frame < one.frame || (next.frame > one.frame && next.shared <= one.shared) {
      throw .notMonotone(frame: next.frame)
    }
  }
}

extension TimelineFit {
  /// Nanoseconds from `origin` to the moment at which frame `frame` was taken.
  public func nanoseconds(ofFrame frame: Double, since origin: SharedInstant) -> Double {
    let apart = Double(base.nanoseconds - origin.nanoseconds)
    return apart + firstNanoseconds + frame * nanosecondsPerFrame + curve.bend(at: frame)
  }

  /// The frame, and its fraction, that was taken `nanoseconds` after `origin`.
  public func frame(atNanoseconds nanoseconds: Double, since origin: SharedInstant) -> Double {
    let apart = Double(base.nanoseconds - origin.nanoseconds)
    let straight = (nanoseconds - apart - firstNanoseconds) / nanosecondsPerFrame
    if !isCurved { return straight }
    let near = straight - curve.bend(at: straight) / nanosecondsPerFrame
    return straight - curve.bend(at: near) / nanosecondsPerFrame
  }

  /// Whether the crystal's rate changed in the file.
  public var isCurved: Bool { !curve.curve.isEmpty }

  /// The frames between which the map is straight; nothing where it is a line.
  public var curveFrames: [Double] { curve.curve.map(\.position) }

  /// Nanoseconds of shared time from a frame to the next.
  public var frameNanoseconds: Double { nanosecondsPerFrame }

  /// Jitter bound and path limit together, in nanoseconds: this holds everywhere.
  public var boundNanoseconds: Double { jitterBoundNanoseconds + pathLimitNanoseconds }
}
