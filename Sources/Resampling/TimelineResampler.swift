/// A stretch of sound laid onto a timeline: output frame k is the input at start + k·step, for
/// any fractional start.
///
/// soxr begins on an input frame. A start between two frames is reached by soxr itself, in two
/// passes: the first runs at a rate a hair off 1, chosen so that its frame number `lead` falls
/// exactly on the start; the second makes up for it. Both rates are constant and no filter of
/// our own is needed; the first `lead` frames are dropped.
public struct TimelineResampler: ~Copyable {
  private let channels: Int
  private let count: Int64
  private var onset: Resampler?
  private var rate: Resampler
  /// Input frames still to drop, those before the lead.
  private var inputToSkip: Int64
  /// Silent input frames still to put in front.
  private var silenceToPrepend: Int64
  /// Frames of the first pass still to drop.
  private var leadToSkip: Int
  /// Output frames still to drop, in which the second pass settles.
  private var marginToSkip: Int
  /// Output frames of silence still to emit before the sound comes near.
  private var silenceToEmit: Int64
  private var emitted: Int64 = 0

  /// Frames of the first pass that are spent on reaching the fraction: its rate is within
  /// 0.5/lead of 1, and its filter has long settled at the end of them.
  static let lead = 4096
  /// Output frames made ahead of the start, so that both filters know what came before it; the
  /// steep filter reaches some 700 frames to each side.
  static let margin = 2048
  /// A start this close to a frame, in frames, is on it.
  static let closeness = 1e-7
  /// Silent frames returned at once.
  static let silenceBlock: Int64 = 65_536

  /// Makes a stream of `count` output frames.
  ///
  /// - Parameters:
  ///   - start: the input position of the first output frame; negative where the timeline
  ///     begins before the input does, which gives silence there.
  ///   - step: input frames to one output frame, between 1/256 and 256.
  ///   - count: output frames in all; where the input ends before, silence follows.
  public init(
    channels: Int, start: Double, step: Double, count: Int64
  ) throws(ResamplingError) {
    self.channels = channels
    self.count = count
    let reach = Double(Self.margin) * step + Double(2 * Self.margin)
    let silent = min(Double(count), max(0, ((-start - reach) / step).rounded(.down)))
    silenceToEmit = Int64(silent)
    marginToSkip = Self.margin
    let start = start + (silent - Double(Self.margin)) * step
    let whole = start.rounded()
    var first = Int64(whole)
    if abs(start - whole) > Self.closeness {
      first -= Int64(Self.lead)
      let onsetStep = (start - Double(first)) / Double(Self.lead)
      onset = try Resampler(channels: channels, step: onsetStep)
      rate = try Resampler(channels: channels, step: step / onsetStep)
      leadToSkip = Self.lead
    } else {
      onset = nil
      rate = try Resampler(channels: channels, step: step)
      leadToSkip = 0
    }
    inputToSkip = max(0, first)
    silenceToPrepend = max(0, -first)
  }

  /// Takes the input's next frames and returns the output's next ones, both interleaved.
  public mutating func process(_ input: [Double]) throws(ResamplingError) -> [Double] {
    precondition(silenceToEmit == 0, "the opening silence comes before the sound")
    var output: [Double] = []
    if silenceToPrepend > 0 {
      let silence = [Double](repeating: 0, count: Int(silenceToPrepend) * channels)
      silenceToPrepend = 0
      output += try pass(silence)
    }
    let skipped = Int(min(inputToSkip, Int64(input.count / channels)))
    inputToSkip -= Int64(skipped)
    output += try pass(skipped == 0 ? input : Array(input[(skipped * channels)...]))
    return limited(output)
  }

  /// Ends the input and returns what is left of its sound.
  public mutating func finish() throws(ResamplingError) -> [Double] {
    var output = try process([])
    if let tail = try onset?.finish() { output += limited(try rate.process(dropLead(tail))) }
    return output + limited(try rate.finish())
  }

  /// The next block of the silence that the output opens with, or nothing when it is over. Drain
  /// this before the first ``process(_:)``.
  public mutating func openingSilence() -> [Double]? {
    let frames = min(silenceToEmit, Self.silenceBlock)
    silenceToEmit -= frames
    return silence(frames: frames)
  }

  /// The next block of the silence behind the input's end, or nothing when the output has all its
  /// frames. For after ``finish()``.
  public mutating func closingSilence() -> [Double]? {
    silence(frames: min(count - emitted, Self.silenceBlock))
  }

  private mutating func silence(frames: Int64) -> [Double]? {
    if frames == 0 { return nil }
    emitted += frames
    return [Double](repeating: 0, count: Int(frames) * channels)
  }

  /// Whether all output frames have been returned.
  public var isComplete: Bool { emitted >= count }

  private mutating func pass(_ input: [Double]) throws(ResamplingError) -> [Double] {
    guard let placed = try onset?.process(input) else { return try rate.process(input) }
    return try rate.process(dropLead(placed))
  }

  private mutating func dropLead(_ frames: [Double]) -> [Double] {
    let dropped = min(leadToSkip, frames.count / channels)
    if dropped == 0 { return frames }
    leadToSkip -= dropped
    return Array(frames[(dropped * channels)...])
  }

  /// `output` without the margin and cut to what is still wanted, which counts as emitted.
  private mutating func limited(_ output: [Double]) -> [Double] {
    let made = output.count / channels
    let dropped = min(marginToSkip, made)
    marginToSkip -= dropped
    let frames = Int(min(Int64(made - dropped), count - emitted))
    emitted += Int64(frames)
    if dropped == 0 && frames == made { return output }
    return Array(output[(dropped * channels)..<((dropped + frames) * channels)])
  }
}
