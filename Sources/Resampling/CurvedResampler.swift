internal import FFT

/// A stretch of sound laid onto a timeline along a curve: output frame k is the input at a place
/// that points tell, straight between them and beyond.
///
/// For maps whose rate changes; a constant rate goes through ``TimelineResampler``. Before the
/// first and behind the last input frame there is silence.
public struct CurvedResampler {
  /// A point that the curve passes.
  public struct Knot: Hashable, Sendable {
    public let output: Double
    public let input: Double

    /// The output frame `output` is the input at `input`.
    public init(output: Double, input: Double) {
      self.output = output
      self.input = input
    }
  }

  private let channels: Int
  private let knots: [Knot]
  private let count: Int64
  private let kernel: LongKernel
  /// The input that is still needed, each channel by itself, and the frame that it begins with.
  private var buffers: [[Double]]
  private var first: Int64
  private var isEnded = false
  private var next: Int64 = 0
  private var segment = 0

  /// Makes a stream of `count` output frames.
  ///
  /// - Parameter knots: two at least, in order, both of their parts growing.
  public init(channels: Int, knots: [Knot], count: Int64) {
    precondition(knots.count >= 2, "a curve has at least two points, not \(knots.count)")
    precondition(
      zip(knots, knots.dropFirst()).allSatisfy { $0.output < $1.output && $0.input < $1.input },
      "a curve goes forward")
    self.channels = channels
    self.knots = knots
    self.count = count
    let steepest =
      zip(knots, knots.dropFirst())
      .map { ($1.input - $0.input) / ($1.output - $0.output) }.max() ?? 1
    // Within 1 % of the input's rate what lies above the band's end is nobody's to hear.
    kernel = steepest > 1.01 ? LongKernel(cutoff: 0.96 / steepest) : .whole
    first = -Int64(LongKernel.taps)
    buffers = [[Double]](
      repeating: [Double](repeating: 0, count: LongKernel.taps), count: channels)
  }

  /// Whether all output frames have been returned.
  public var isComplete: Bool { next >= count }

  /// Takes the input's next frames, interleaved; none ends it.
  public mutating func feed(_ input: [Double]) {
    if input.isEmpty {
      isEnded = true
      return
    }
    if channels == 1 {
      buffers[0] += input
      return
    }
    for channel in 0..<channels {
      buffers[channel] += stride(from: channel, to: input.count, by: channels).map { input[$0] }
    }
  }

  /// The next output frames, interleaved, at most `limit` of them; none where more input is
  /// needed first.
  public mutating func output(limit: Int) -> [Double] {
    let wanted = Int(min(Int64(limit), count - next))
    var output = [Double](repeating: 0, count: wanted * channels)
    let end = Double(first + Int64(buffers[0].count))
    let half = Double(LongKernel.half)
    var made = 0
    while made < wanted {
      let run = stretch(of: wanted - made)
      let frames: Int
      if run.place < -half {
        frames = Self.frames(of: run, before: -half)
      } else if run.place < end - half {
        frames = Self.frames(of: run, before: end - half)
        make(run, frames: frames, into: &output, at: made)
      } else if isEnded {
        frames = run.count
      } else {
        break
      }
      made += frames
      next += Int64(frames)
    }
    drop()
    if made < wanted { output.removeLast((wanted - made) * channels) }
    return output
  }

  /// Output frames along one straight part of the curve.
  private struct Run {
    /// The input's frame at the first of them, and how much further on each is.
    let place: Double
    let step: Double
    let count: Int
  }

  /// What comes next, at most `limit` frames of it.
  private mutating func stretch(of limit: Int) -> Run {
    let frame = Double(next)
    while segment < knots.count - 2, frame > knots[segment + 1].output { segment += 1 }
    let (one, two) = (knots[segment], knots[segment + 1])
    let step = (two.input - one.input) / (two.output - one.output)
    let isLast = segment == knots.count - 2
    let room = isLast ? Double(limit) : (two.output - frame).rounded(.down) + 1
    return Run(
      place: one.input + (frame - one.output) * step, step: step,
      count: max(1, min(limit, Int(min(room, Double(limit))))))
  }

  /// How many of a run's frames lie before the input's frame `edge`; the first does.
  private static func frames(of run: Run, before edge: Double) -> Int {
    var frames = min(run.count, Int(((edge - run.place) / run.step).rounded(.up)) + 1)
    while frames > 1, run.place + Double(frames - 1) * run.step >= edge { frames -= 1 }
    return frames
  }

  private func make(_ run: Run, frames: Int, into output: inout [Double], at made: Int) {
    for channel in 0..<channels {
      SampleSums.between(
        buffers[channel], from: run.place - Double(first), step: run.step, count: frames,
        with: kernel.table, taps: LongKernel.taps, phases: LongKernel.phases, to: &output,
        at: made * channels + channel, stride: channels)
    }
  }

  /// Forgets the input that nothing needs any more.
  private mutating func drop() {
    guard next < count else { return }
    let place = stretch(of: 1).place.rounded(.down)
    let needed = Int64(max(-1e17, min(1e17, place))) - Int64(LongKernel.half)
    let frames = min(needed - first, Int64(buffers[0].count))
    guard frames > 8 * Int64(LongKernel.taps) else { return }
    for channel in 0..<channels { buffers[channel].removeFirst(Int(frames)) }
    first += frames
  }
}
