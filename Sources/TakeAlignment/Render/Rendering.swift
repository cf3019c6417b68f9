internal import BroadcastWave

/// How the samples of rendered files are stored.
public enum RenderFormat: String, Hashable, Sendable, CaseIterable {
  /// Integers of 24 bits, rounded with triangular dither.
  case integers24 = "24"
  /// Floating point of 32 bits.
  case float32 = "float"

  var encoding: SampleEncoding {
    switch self {
    case .integers24: .integer(bits: 24)
    case .float32: .float32
    }
  }
}

/// Lays raw files onto the timeline and writes them as the channels of one file: a single one, as
/// a rule.
struct Rendering {
  let lanes: [Lane]
  let writer: AlignedWriter
  let interruption: Interruption

  /// A raw file on its way to its channels.
  final class Lane {
    let channels: Int
    private let stream: TimelineStream
    private var encoder: SampleEncoder
    private var waiting: [UInt8] = []

    init(_ part: TakeAligner.Part, format: RenderFormat) throws(AlignmentError) {
      channels = part.source.channels
      let isCopy = part.isCopy(as: format)
      stream = try TimelineStream(source: part.source, course: part.subject.course)
      encoder = SampleEncoder(format, seed: part.source.seed, isCopy: isCopy)
    }

    var clipped: Int64 { encoder.clipped }
    /// The bytes of a frame.
    var width: Int { encoder.width * channels }

    /// The next `count` frames.
    func take(frames count: Int) throws(AlignmentError) -> [UInt8] {
      while waiting.count < count * width {
        let samples = try stream.next()
        if samples.isEmpty { break }
        waiting += encoder.bytes(of: samples)
      }
      let bytes = Array(waiting.prefix(count * width))
      waiting.removeFirst(bytes.count)
      return bytes + [UInt8](repeating: 0, count: count * width - bytes.count)
    }
  }

  /// Frames written at once.
  static let blockFrames = 65_536

  /// Writes `count` frames.
  ///
  /// - Parameter progress: hears what part of them is written, 0 to 1.
  func run(count: Int64, progress: (Double) -> Void) throws(AlignmentError) {
    var left = count
    while left > 0 {
      let frames = Int(min(left, Int64(Self.blockFrames)))
      var pieces: [[UInt8]] = []
      for lane in lanes { pieces.append(try lane.take(frames: frames)) }
      try writer.append(pieces.count == 1 ? pieces[0] : interleaved(pieces, frames: frames))
      guard !interruption.isWanted else {
        interruption.consume()
        throw .interrupted
      }
      left -= Int64(frames)
      progress(1 - Double(left) / Double(count))
    }
  }

  private func interleaved(_ pieces: [[UInt8]], frames: Int) -> [UInt8] {
    let widths = lanes.map(\.width)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames * widths.reduce(0, +))
    for frame in 0..<frames {
      for (piece, width) in zip(pieces, widths) {
        bytes += piece[frame * width..<(frame + 1) * width]
      }
    }
    return bytes
  }
}
