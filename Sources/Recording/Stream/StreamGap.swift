public import Units

/// Frames of a card's stream that were lost and stand as silence.
public struct StreamGap: BitwiseCopyable, Hashable, Sendable {
  /// Why frames were lost. The words stand in logs and are documented in `docs/files.md`.
  public enum Cause: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// This program did not read in time; the driver told how many.
    case notReadInTime
    /// The driver stopped the stream.
    case overrun
    /// The machine slept.
    case suspended
    /// The card was pulled out.
    case disconnected
    /// The card stood still for longer than its buffer reaches.
    case stalled
    /// The card said nothing: the frames are missing between index and time.
    case silentLoss
    /// The disk kept the writer waiting for longer than the ring reaches.
    case diskTooSlow

    public var word: String {
      switch self {
      case .notReadInTime: "not_read_in_time"
      case .overrun: "overrun"
      case .suspended: "suspended"
      case .disconnected: "card_gone"
      case .stalled: "stalled"
      case .silentLoss: "silent_loss"
      case .diskTooSlow: "disk_too_slow"
      }
    }
  }

  /// The first frame of the silence.
  public var index: Int64
  public var frames: Int64
  /// By how many frames the silence may be longer or shorter than what was lost; 0 where the
  /// driver told.
  public var boundFrames: Int64
  public var cause: Cause
  /// Between which frames of the stream the loss lies. Both are `index`, but for a loss that was
  /// found afterwards.
  public var lostFrom: Int64
  public var lostTo: Int64

  /// Makes a gap of its parts; the loss lies where the silence stands unless that is told.
  public init(
    index: Int64, frames: Int64, boundFrames: Int64, cause: Cause, lostFrom: Int64? = nil,
    lostTo: Int64? = nil
  ) {
    self.index = index
    self.frames = frames
    self.boundFrames = boundFrames
    self.cause = cause
    self.lostFrom = lostFrom ?? index
    self.lostTo = lostTo ?? index
  }

  /// One beyond the last frame of the silence.
  public var end: SampleIndex { SampleIndex(index + frames) }

  /// What was lost, in words: `480 ± 2 frames were lost (overrun)`.
  public var words: String {
    let open = boundFrames > 0 ? " ± \(boundFrames)" : ""
    let why = cause.word.split(separator: "_").joined(separator: " ")
    return "\(frames)\(open) frames were lost (\(why))"
  }

  /// Whether the silence stands elsewhere than the loss.
  public var isFoundLate: Bool { lostFrom != index || lostTo != index }

  /// Both as one, where `next` goes on where this ends and for the same cause.
  @_noLocks
  public func joined(with next: StreamGap) -> StreamGap? {
    guard next.cause == cause, next.index == index + frames, !isFoundLate, !next.isFoundLate else {
      return nil
    }
    return StreamGap(
      index: index, frames: frames + next.frames,
      boundFrames: max(boundFrames, next.boundFrames), cause: cause)
  }

  /// A stop's gap, and in front of it the part of it that had been lost without a word before: what
  /// lies between the stream's end and its new beginning is measured by the line of before both.
  /// The gap alone where it is not longer than `silent`.
  public func split(for silent: StreamGap) -> [StreamGap] {
    guard silent.frames > 0, silent.frames < frames else { return [self] }
    var first = silent
    first.index = index
    first.lostTo = min(silent.lostTo, index)
    first.lostFrom = min(silent.lostFrom, first.lostTo)
    var rest = self
    rest.index = index + silent.frames
    rest.frames = frames - silent.frames
    // The sum is known as well as before; the parts only as well as both.
    rest.boundFrames = boundFrames + silent.boundFrames
    rest.lostFrom = rest.index
    rest.lostTo = rest.index
    return [first, rest]
  }

  /// What of it lies before `index`; nothing where none does.
  public func before(_ index: SampleIndex) -> StreamGap? { clipped(from: .min, to: index.value) }

  /// The part of it from `first` up to but without `limit`; nothing where there is none.
  public func clipped(from first: Int64, to limit: Int64) -> StreamGap? {
    let start = max(index, first)
    let stop = min(end.value, limit)
    guard start < stop else { return nil }
    var part = self
    part.index = start
    part.frames = stop - start
    if !isFoundLate {
      part.lostFrom = start
      part.lostTo = start
    }
    return part
  }
}
