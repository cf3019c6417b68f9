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
  /// The input that is still needed, interleaved, and the frame that it begins with.
  private var buffer: [Double]
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
    kernel = LongKernel(cutoff: steepest > 1.01 ? 0.96 / steepest : 1)
    first = -Int64(LongKernel.taps)
    buffer = [Double](repeating: 0, count: LongKernel.taps * channels)
  }

  /// Whether all output frames have been returned.
  public var isComplete: Bool { next >= count }

  /// Takes the input's next frames, interleaved; none ends it.
  public mutating func feed(_ input: [Double]) {
    if input.isEmpty {
      isEnded = true
      buffer += [Double](repeating: 0, count: (LongKernel.half + 2) * channels)
    } else {
      buffer += input
    }
  }

  /// The next output frames, interleaved, at most `limit` of them; none where more input is
  /// needed first.
  public mutating func output(limit: Int) -> [Double] {
    var output: [Double] = []
    output.reserveCapacity(limit * channels)
    let end = first + Int64(buffer.count / channels)
    var made = 0
    var needed = end
    while made < limit, next < count {
      let place = position(of: next)
      let low = place.rounded(.down)
      let start = Int64(max(-1e17, min(1e17, low))) - Int64(LongKernel.half) + 1
      let stop = start + Int64(LongKernel.taps)
      if stop <= 0 || (isEnded && stop > end) {
        output += repeatElement(0, count: channels)
      } else if stop > end {
        needed = min(needed, start)
        break
      } else {
        append(start: Int(start - first), part: place - low, to: &output)
        needed = start
      }
      made += 1
      next += 1
    }
    drop(before: min(needed, end))
    return output
  }

  private mutating func drop(before frame: Int64) {
    let frames = frame - first
    guard frames > 8 * Int64(LongKernel.taps) else { return }
    buffer.removeFirst(Int(frames) * channels)
    first = frame
  }

  /// Where in the input output frame `frame` lies.
  private mutating func position(of frame: Int64) -> Double {
    let place = Double(frame)
    while segment < knots.count - 2, place > knots[segment + 1].output { segment += 1 }
    let (one, two) = (knots[segment], knots[segment + 1])
    return one.input + (place - one.output) * (two.input - one.input) / (two.output - one.output)
  }

  private func append(start: Int, part: Double, to output: inout [Double]) {
    let exact = part * Double(LongKernel.phases)
    let phase = min(LongKernel.phases - 1, Int(exact))
    let blend = exact - Double(phase)
    let row = phase * LongKernel.taps
    for channel in 0..<channels {
      let (sum, rest) = SampleSums.dots(
        buffer, from: start * channels + channel, stride: channels, with: kernel.table, row: row,
        count: LongKernel.taps)
      output.append(sum + blend * (rest - sum))
    }
  }
}
