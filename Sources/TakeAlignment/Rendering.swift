internal import Alignment
internal import BroadcastWave
internal import Recording
internal import Resampling
internal import SoundFile
internal import Units

/// Lays one raw file onto the timeline and writes it.
struct Rendering {
  let file: TakeFile
  let placement: Placement
  let writer: AlignedWriter
  let bits: Int

  /// Frames read at once.
  static let blockFrames = 65_536

  /// Writes all frames of the timeline.
  ///
  /// - Parameter progress: hears what part of them is written, 0 to 1.
  func run(progress: (Double) -> Void) throws(AlignmentError) {
    if let first = placement.identity, bits >= file.wave.format.encoding.bits,
      file.wave.format.encoding != .float32
    {
      try copy(from: first, progress: progress)
    } else {
      try resample(progress: progress)
    }
  }

  private var channels: Int { file.wave.format.channels }

  private func resample(progress: (Double) -> Void) throws(AlignmentError) {
    do {
      var reader = try SoundFileReader(path: file.path)
      var resampler = try TimelineResampler(
        channels: channels, start: placement.start, step: placement.step, count: placement.count)
      // The same take gives the same files: the noise follows from who recorded what.
      var dither = Dither(
        bits: bits, seed: file.log.header.take.low ^ file.log.header.peer.low)
      var done: Int64 = 0
      func write(_ samples: [Double]) throws(AlignmentError) {
        try writer.append(pack(samples.map { dither.round($0) }))
        done += Int64(samples.count / channels)
        progress(Double(done) / Double(max(1, placement.count)))
      }
      while let silence = resampler.openingSilence() { try write(silence) }
      while !resampler.isComplete {
        let block = try reader.read(frames: Self.blockFrames)
        if block.isEmpty { break }
        try write(try resampler.process(block))
      }
      if !resampler.isComplete { try write(try resampler.finish()) }
      while let silence = resampler.closingSilence() { try write(silence) }
    } catch let error as AlignmentError {
      throw error
    } catch {
      throw .unreadable(file: file.path, reason: "\(error)")
    }
  }

  /// Takes the frames over bit by bit, with silence where the file has none.
  private func copy(from first: Int64, progress: (Double) -> Void) throws(AlignmentError) {
    do {
      var reader = try SoundFileReader(path: file.path)
      var left = placement.count
      let opening = min(left, max(0, -first))
      try silence(frames: opening)
      left -= opening
      if first > 0 { try reader.seek(to: min(first, reader.frames.value)) }
      while left > 0 {
        let block = try reader.readIntegers(frames: Int(min(left, Int64(Self.blockFrames))))
        if block.isEmpty { break }
        try writer.append(pack(block.map { $0 >> (32 - Int32(bits)) }))
        left -= Int64(block.count / channels)
        progress(1 - Double(left) / Double(max(1, placement.count)))
      }
      try silence(frames: left)
    } catch let error as AlignmentError {
      throw error
    } catch {
      throw .unreadable(file: file.path, reason: "\(error)")
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
