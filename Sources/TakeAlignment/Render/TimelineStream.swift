internal import Alignment
internal import Resampling
internal import SoundFile
internal import Units

/// A raw file as it sounds on the timeline, block by block.
struct TimelineStream {
  let source: RenderSource
  let course: RenderCourse

  /// Hands all frames of the timeline to `take`, interleaved.
  func run(
    _ take: ([Double]) throws(AlignmentError) -> Void
  ) throws(AlignmentError) {
    do {
      switch course {
      case .line(let placement): try line(placement, take)
      case .curve(let knots, let count): try curve(knots, count: count, take)
      }
    } catch let error as AlignmentError {
      throw error
    } catch {
      throw .unreadable(file: source.path, reason: "\(error)")
    }
  }

  private func line(
    _ placement: Placement, _ take: ([Double]) throws(AlignmentError) -> Void
  ) throws {
    var reader = try RepairedReader(source)
    var resampler = try TimelineResampler(
      channels: source.channels, start: placement.start, step: placement.step,
      count: placement.count)
    while let silence = resampler.openingSilence() { try take(silence) }
    while !resampler.isComplete {
      let block = try reader.read(frames: Rendering.blockFrames)
      if block.isEmpty { break }
      try take(try resampler.process(block))
    }
    if !resampler.isComplete { try take(try resampler.finish()) }
    while let silence = resampler.closingSilence() { try take(silence) }
  }

  private func curve(
    _ knots: [(timeline: Double, own: Double)], count: Int64,
    _ take: ([Double]) throws(AlignmentError) -> Void
  ) throws {
    var reader = try RepairedReader(source)
    var resampler = CurvedResampler(
      channels: source.channels,
      knots: knots.map { CurvedResampler.Knot(output: $0.timeline, input: $0.own) }, count: count)
    while !resampler.isComplete {
      let output = resampler.output(limit: Rendering.blockFrames)
      if output.isEmpty {
        resampler.feed(try reader.read(frames: Rendering.blockFrames))
      } else {
        try take(output)
      }
    }
  }
}
