public import Units

/// Watches a stream's counts against time for frames that were lost without a word.
///
/// The earliest looks of each quarter of a second lie on a line. Where N frames are lost all
/// later looks lie N frames late, and stay there; whatever else makes looks late (a stall, a busy
/// machine) passes. So a quarter that is late is put aside, and when six are late by the same,
/// frames were lost: between the last quarter on the line and the first of those.
public struct LossWatch: Sendable {
  /// Frames that were lost in silence.
  public struct Loss: Hashable, Sendable {
    public let frames: Int64
    /// By how many `frames` may be wrong in one of a hundred cases.
    public let boundFrames: Int64
    /// The loss lies between these counts of frames.
    public let from: FrameCount
    public let to: FrameCount
    /// The last look from before the loss.
    public let host: HostInstant
  }

  /// How many quarters the line is laid through, and how many it takes before it is believed.
  static let mostBefore = 40
  static let fewestBefore = 8
  /// How many late quarters of the same lateness are a loss; and how many at a stream's end, when
  /// there will be no more of them.
  static let fewestLate = 6
  static let fewestLateAtEnd = 3
  /// More late quarters than this that are never alike: the line is no good.
  static let mostLate = 40
  /// How many looks make the earliest of them worth believing.
  static let fewestLooks = 8
  /// The least loss that is looked for, in frames.
  static let leastFrames = 1.4

  private let nominal: Double
  private var before: [SampleSpan] = []
  private var late: [(span: SampleSpan, frames: Double)] = []
  private var current: SampleSpan?
  private var line: Line?

  private struct Line: Sendable {
    let fit: SampleFit
    let origin: SampleSpan
    /// Over how long looks are spread in lateness, in nanoseconds.
    let step: Double
    let threshold: Double
    let deviationFrames: Double
  }

  /// Begins with a stream of nominal `rate`.
  public init(rate: SampleRate) { nominal = 1e9 / Double(rate.hertz) }

  /// Whether the newest looks are late, so that more of them would soon tell why.
  public var isSuspicious: Bool { !late.isEmpty }

  /// Whether all looks before the newest one are known to be of one count, as far as there is a line
  /// to know it by. A line that is to be right whatever comes is laid at such moments.
  public private(set) var isAssured = true

  /// The stream has stopped: the loss that its last quarters agree on, though there are too few of
  /// them to be told for a busy machine's while it went on.
  public func lossAtEnd() -> Loss? {
    var watch = self
    guard let line else { return nil }
    if let span = current, span.worth >= Self.fewestLooks, let loss = watch.judge(span) {
      return loss
    }
    return watch.loss(by: line, fewest: Self.fewestLateAtEnd)
  }

  /// Forgets all: the counts begin anew.
  public mutating func startAnew() {
    before = []
    late = []
    current = nil
    line = nil
    isAssured = true
  }

  /// Takes in that `count` frames had been taken at `host`; the loss that shows by it.
  ///
  /// - Parameter isEdge: whether the pointer was seen to move at `host`.
  public mutating func observe(
    count: FrameCount, at host: HostInstant, isEdge: Bool = false
  ) -> Loss? {
    let look = SampleSpan.Look(count: count.value, host: host.nanoseconds, isEdge: isEdge)
    let number = host.nanoseconds / SampleClock.binNanoseconds
    isAssured = line == nil
    // A busy machine looks seldom: its quarters are put together until they are worth believing.
    guard let span = current, span.number == number || span.worth < Self.fewestLooks else {
      let ended = current
      current = SampleSpan(number: number, first: look)
      return ended.flatMap { judge($0) }
    }
    current?.add(look, spacing: line?.fit.slope ?? nominal)
    return nil
  }

  private mutating func judge(_ span: SampleSpan) -> Loss? {
    guard before.count >= Self.fewestBefore, let line else {
      admit(span)
      return nil
    }
    let frames = lateness(of: span, by: line)
    if frames < line.threshold + 4 * growth(to: span, by: line) {
      late = []
      admit(span)
      return nil
    }
    late.append((span, frames))
    guard let loss = loss(by: line, fewest: Self.fewestLate) else {
      if late.count > Self.mostLate { startAnew() }
      return nil
    }
    startAnew()
    return loss
  }

  private mutating func admit(_ span: SampleSpan) {
    var span = span
    span.forget()
    before.append(span)
    if before.count > Self.mostBefore { before.removeFirst() }
    if before.count >= Self.fewestBefore { line = laid() }
    isAssured = true
  }

  /// The line through the quarters that lie on it.
  private func laid() -> Line? {
    guard let origin = before.last else { return nil }
    // The first of them were admitted before there was a line to judge them by.
    let before = before.timely
    let step = before.step
    let bias = before.reduce(0) { $0 + $1.bias(ofStep: step) } / Double(before.count)
    let points = before.map { span in
      SampleFit.Point(
        frames: Double(span.count - origin.count),
        nanoseconds: Double(span.host - origin.host) - span.bias(ofStep: step))
    }
    let fit = SampleFit(points, prior: SampleFit.Prior(nominal: nominal), noise: max(200, bias))
    let deviation = fit.residualDeviation / fit.slope
    return Line(
      fit: fit, origin: origin, step: step,
      threshold: max(Self.leastFrames, 4 * deviation, step / 2 / fit.slope),
      deviationFrames: max(deviation, bias / fit.slope))
  }

  /// By how many frames the earliest look of `span` lies behind the line.
  private func lateness(of span: SampleSpan, by line: Line) -> Double {
    let frames = Double(span.count - line.origin.count)
    let host = Double(span.host - line.origin.host) - span.bias(ofStep: line.step)
    return (host - line.fit.level) / line.fit.slope - frames
  }

  /// By how many frames the line may have left the crystal by then: one deviation.
  private func growth(to span: SampleSpan, by line: Line) -> Double {
    line.fit.slopeDeviation / line.fit.slope
      * abs(Double(span.count - line.origin.count) - line.fit.middle)
  }

  /// The loss that the newest of the late quarters agree on, `fewest` of them at least.
  private func loss(by line: Line, fewest: Int) -> Loss? {
    let alike = late.suffix(Self.fewestLate)
    guard alike.count >= fewest, let first = alike.first, let last = alike.last else {
      return nil
    }
    let all = alike.map(\.frames)
    let mean = all.reduce(0, +) / Double(all.count)
    guard let least = all.min(), let most = all.max(),
      most - least <= max(0.5, 6 * line.deviationFrames, 0.1 * mean)
    else { return nil }
    let open =
      3 * (line.deviationFrames / Double(all.count).squareRoot() + growth(to: last.span, by: line))
    return Loss(
      frames: Int64(mean.rounded()), boundFrames: max(1, Int64(open.rounded(.up))),
      from: FrameCount(line.origin.count), to: FrameCount(first.span.count),
      host: HostInstant(nanoseconds: line.origin.host))
  }
}
