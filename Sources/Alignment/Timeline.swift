public import Units

/// The frames that all aligned files of a take share: where the first lies in shared time, how
/// far apart they are, and how many there are.
public struct Timeline: Hashable, Sendable {
  public let sampleRate: SampleRate
  /// When the take begins, in shared time.
  public let start: SharedInstant
  /// Frames in every aligned file.
  public let count: Int64
  /// Nanoseconds from `start` to the first frame: 0, or less than a frame where the frames are
  /// those of a reference file.
  public let firstNanoseconds: Double
  /// Nanoseconds of shared time from a frame to the next.
  public let frameNanoseconds: Double

  /// The timeline of shared time itself, at the nominal rate, from `start` to `end`.
  public init(sampleRate: SampleRate, start: SharedInstant, end: SharedInstant) {
    self.sampleRate = sampleRate
    self.start = start
    firstNanoseconds = 0
    frameNanoseconds = 1e9 / Double(sampleRate.hertz)
    let span = Double(start.duration(to: end).wholeNanoseconds)
    count = max(0, Int64((span / frameNanoseconds).rounded()))
  }

  /// The timeline whose frames are those of a file with the fit `reference`: its crystal is the
  /// others' measure, and its own frames stay as they are.
  ///
  /// - Parameter frames: the frames that the reference holds; where the take reaches from its
  ///   first to its last frame but for a frame's length, the timeline is exactly those.
  public init(reference: TimelineFit, start: SharedInstant, end: SharedInstant, frames: Int64) {
    sampleRate = reference.sampleRate
    self.start = start
    frameNanoseconds = reference.frameNanoseconds
    let first = reference.frame(atNanoseconds: 0, since: start).rounded()
    firstNanoseconds = reference.nanoseconds(ofFrame: first, since: start)
    let span = Double(start.duration(to: end).wholeNanoseconds) - firstNanoseconds
    let wanted = max(0, Int64((span / frameNanoseconds).rounded()))
    count = first == 0 && abs(wanted - frames) <= 1 ? frames : wanted
  }

  /// How a file with the fit `fit` is laid onto this timeline.
  public func placement(of fit: TimelineFit) -> Placement {
    Placement(
      start: fit.frame(atNanoseconds: firstNanoseconds, since: start),
      step: frameNanoseconds / fit.frameNanoseconds, count: count)
  }
}

/// How a file is laid onto a timeline: the timeline's frame k is the file's frame
/// start + k·step, fractions included.
public struct Placement: Hashable, Sendable {
  public let start: Double
  public let step: Double
  /// Frames of the timeline.
  public let count: Int64

  /// Makes a placement of its parts.
  public init(start: Double, step: Double, count: Int64) {
    self.start = start
    self.step = step
    self.count = count
  }

  /// A file within this of its place throughout, in frames, is left as it is: at 1 kHz and
  /// 48 kHz that changes the sound by −78 dB of itself at most, and by 20 ns.
  static let nothing = 1e-3

  /// The file's frame that the timeline begins with, where there is nothing to correct: the
  /// file's frames may be taken bit by bit.
  public var identity: Int64? {
    let whole = start.rounded()
    let drift = abs(step - 1) * Double(count)
    return abs(start - whole) + drift <= Self.nothing ? Int64(whole) : nil
  }
}
