internal import Alignment

/// A raw file as rendering takes it.
struct RenderSource: Sendable {
  let path: String
  let channels: Int
  /// The width of its samples where they are integers.
  let integerBits: Int?
  /// From which the dither follows: the same file gives the same noise.
  let seed: UInt64
  /// Where samples were lost and silence takes their place, and where silence does not belong.
  var edits: [Edit] = []

  /// Frames that are put in or left out.
  struct Edit: Hashable, Sendable {
    /// The raw file's frame before which silence is put in, or with which what is left out begins.
    let frame: Int64
    /// Frames of silence to put in; below 0, frames to leave out.
    let count: Int64
  }
}

/// How a raw file, repaired where it has to be, is laid onto the timeline.
enum RenderCourse: Sendable {
  /// At a constant rate.
  case line(Placement)
  /// Along a curve: pairs of the timeline's and the file's frames, for `count` frames.
  case curve([(timeline: Double, own: Double)], count: Int64)

  var count: Int64 {
    switch self {
    case .line(let placement): placement.count
    case .curve(_, let count): count
    }
  }

  /// The timeline's frame for a frame of the repaired file.
  func timelineFrame(of frame: Double) -> Double {
    switch self {
    case .line(let placement): return (frame - placement.start) / placement.step
    case .curve(let knots, _):
      var place = 0
      while place < knots.count - 2, frame > knots[place + 1].own { place += 1 }
      let (one, two) = (knots[place], knots[place + 1])
      return one.timeline
        + (frame - one.own) * (two.timeline - one.timeline) / (two.own - one.own)
    }
  }

  /// The repaired file's frame for a frame of the timeline.
  func ownFrame(at frame: Double) -> Double {
    switch self {
    case .line(let placement): return placement.start + frame * placement.step
    case .curve(let knots, _):
      var place = 0
      while place < knots.count - 2, frame > knots[place + 1].timeline { place += 1 }
      let (one, two) = (knots[place], knots[place + 1])
      return one.own
        + (frame - one.timeline) * (two.own - one.own) / (two.timeline - one.timeline)
    }
  }

  /// The average of the file's frames to one of the timeline.
  var step: Double {
    switch self {
    case .line(let placement): return placement.step
    case .curve(let knots, _):
      guard let first = knots.first, let last = knots.last else { return 1 }
      return (last.own - first.own) / (last.timeline - first.timeline)
    }
  }
}

extension RenderCourse {
  /// How a file with the fit `fit` is laid onto `timeline`.
  init(_ timeline: Timeline, _ fit: TimelineFit) {
    guard fit.isCurved else {
      self = .line(timeline.placement(of: fit))
      return
    }
    let knots = fit.curveFrames.map { frame in
      let nanoseconds = fit.nanoseconds(ofFrame: frame, since: timeline.start)
      return (
        timeline: (nanoseconds - timeline.firstNanoseconds) / timeline.frameNanoseconds, own: frame
      )
    }
    self = .curve(knots, count: timeline.count)
  }
}
