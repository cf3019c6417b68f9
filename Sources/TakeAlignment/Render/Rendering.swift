internal import Alignment
internal import BroadcastWave
internal import Recording
internal import Resampling
internal import SoundFile
internal import Units

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

/// Lays one raw file onto the timeline and writes it.
struct Rendering {
  let source: RenderSource
  let course: RenderCourse
  let writer: AlignedWriter
  let format: RenderFormat
  let interruption: Interruption

  /// Frames read at once.
  static let blockFrames = 65_536

  private var bits: Int { format.encoding.bits }
  private var channels: Int { source.channels }

  /// Where the file may be taken over bit by bit: the frame to begin with.
  static func identity(
    of course: RenderCourse, source: RenderSource, format: RenderFormat
  ) -> Int64? {
    guard case .line(let placement) = course, format == .integers24, source.repairs.isEmpty,
      let bits = source.integerBits, bits <= format.encoding.bits
    else { return nil }
    return placement.identity
  }

  /// Writes all frames of the timeline.
  ///
  /// - Parameter progress: hears what part of them is written, 0 to 1.
  func run(progress: (Double) -> Void) throws(AlignmentError) {
    if let first = Self.identity(of: course, source: source, format: format) {
      return try copy(from: first, count: course.count, progress: progress)
    }
    var dither = Dither(bits: 24, seed: source.seed)
    var done: Int64 = 0
    let stream = TimelineStream(source: source, course: course)
    try stream.run { samples throws(AlignmentError) in
      switch format {
      case .integers24: try writer.append(pack(samples.map { dither.round($0) }))
      case .float32: try writer.append(samples.flatMap { Self.bytes(of: Float($0)) })
      }
      try checkInterruption()
      done += Int64(samples.count / channels)
      progress(Double(done) / Double(max(1, course.count)))
    }
  }

  private func checkInterruption() throws(AlignmentError) {
    guard interruption.isWanted else { return }
    interruption.consume()
    throw .interrupted
  }

  private static func bytes(of sample: Float) -> [UInt8] {
    let pattern = sample.bitPattern
    return (0..<4).map { UInt8(truncatingIfNeeded: pattern >> (8 * UInt32($0))) }
  }

  /// Takes the frames over bit by bit, with silence where the file has none.
  private func copy(
    from first: Int64, count: Int64, progress: (Double) -> Void
  ) throws(AlignmentError) {
    do {
      var reader = try SoundFileReader(path: source.path)
      var left = count
      let opening = min(left, max(0, -first))
      try silence(frames: opening)
      left -= opening
      if first > 0 { try reader.seek(to: min(first, reader.frames.value)) }
      while left > 0 {
        let block = try reader.readIntegers(frames: Int(min(left, Int64(Self.blockFrames))))
        if block.isEmpty { break }
        try writer.append(pack(block.map { $0 >> (32 - Int32(bits)) }))
        try checkInterruption()
        left -= Int64(block.count / channels)
        progress(1 - Double(left) / Double(max(1, count)))
      }
      try silence(frames: left)
    } catch let error as AlignmentError {
      throw error
    } catch {
      throw .unreadable(file: source.path, reason: "\(error)")
    }
  }

  private func silence(frames: Int64) throws(AlignmentError) {
    var left = frames
    while left > 0 {
      let block = min(left, Int64(Self.blockFrames))
      try writer.append([UInt8](repeating: 0, count: Int(block) * channels * bits / 8))
      left -= block
    }
  }

  /// Samples as bytes, low byte first.
  private func pack(_ samples: [Int32]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * bits / 8)
    for sample in samples {
      for shift in stride(from: Int32(0), to: Int32(bits), by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: sample >> shift))
      }
    }
    return bytes
  }
}
