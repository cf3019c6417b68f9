internal import Alignment
internal import Resampling
internal import SoundFile
internal import Units

/// A raw file as it sounds on the timeline, block by block.
final class TimelineStream {
  private let channels: Int
  private var reader: RepairedReader
  private var way: Way
  private var straight: TimelineResampler?

  private enum Way {
    /// As it is, behind so many frames of silence.
    case copy(silence: Int64, left: Int64)
    case straight(hasEnded: Bool)
    case curved(CurvedResampler)
  }

  init(source: RenderSource, course: RenderCourse) throws(AlignmentError) {
    channels = source.channels
    do {
      reader = try RepairedReader(source)
      switch course {
      case .line(let placement):
        if let first = placement.identity, source.edits.isEmpty {
          if first > 0 { try reader.skip(frames: first) }
          way = .copy(silence: min(placement.count, max(0, -first)), left: placement.count)
        } else {
          way = .straight(hasEnded: false)
          straight = try TimelineResampler(
            channels: source.channels, start: placement.start, step: placement.step,
            count: placement.count)
        }
      case .curve(let knots, let count):
        way = .curved(
          CurvedResampler(
            channels: source.channels,
            knots: knots.map { CurvedResampler.Knot(output: $0.timeline, input: $0.own) },
            count: count))
      }
    } catch {
      throw .unreadable(file: source.path, reason: "\(error)")
    }
    path = source.path
  }

  private let path: String

  /// The timeline's next frames, interleaved, full scale 1; none when it has all of them.
  func next() throws(AlignmentError) -> [Double] {
    do {
      switch way {
      case .copy(let silence, let left): return try copied(silence: silence, left: left)
      case .straight(let hasEnded): return try resampled(hasEnded: hasEnded)
      case .curved(var resampler):
        let output = try curved(&resampler)
        way = .curved(resampler)
        return output
      }
    } catch {
      throw .unreadable(file: path, reason: "\(error)")
    }
  }

  private func copied(silence: Int64, left: Int64) throws -> [Double] {
    let limit = Int64(Rendering.blockFrames)
    var block =
      silence > 0
      ? self.silence(min(silence, limit)) : try reader.read(frames: Int(min(left, limit)))
    if block.isEmpty { block = self.silence(min(left, limit)) }
    let frames = Int64(block.count / channels)
    way = .copy(silence: max(0, silence - frames), left: left - frames)
    return block
  }

  private func silence(_ frames: Int64) -> [Double] {
    [Double](repeating: 0, count: Int(frames) * channels)
  }

  private func resampled(hasEnded: Bool) throws -> [Double] {
    if let silence = straight?.openingSilence() { return silence }
    if !hasEnded {
      while straight?.isComplete == false {
        let block = try reader.read(frames: Rendering.blockFrames)
        if block.isEmpty { break }
        if let output = try straight?.process(block), !output.isEmpty { return output }
      }
      way = .straight(hasEnded: true)
      if straight?.isComplete == false, let output = try straight?.finish(), !output.isEmpty {
        return output
      }
    }
    return straight?.closingSilence() ?? []
  }

  private func curved(_ resampler: inout CurvedResampler) throws -> [Double] {
    while !resampler.isComplete {
      let output = resampler.output(limit: Rendering.blockFrames)
      if !output.isEmpty { return output }
      resampler.feed(try reader.read(frames: Rendering.blockFrames))
    }
    return []
  }
}
