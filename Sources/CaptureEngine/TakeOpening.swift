internal import Recording
internal import Units

/// What a take's files begin with: all that was known when the cut was made.
struct TakeOpening: Sendable {
  let plan: TakePlan
  let t0: SharedInstant
  let beginning: Cut.Beginning
  /// The frame nearest to T0, which lies before the beginning where the ring does not reach back.
  let t0Index: SampleIndex
  let session: Session
  /// The stream and shared time as they were known then.
  let clock: SampleClock
  let map: ClockMap
  /// Whose clock is the measure.
  let coordinator: TimingLogCoordinator?
  /// Whether the files are a draft: kept only until the take's own are safe.
  var isDraft = false
  /// Whether a draft of this very recording is being written: then the take's own files hold it too.
  var followsDraft = false
}

/// What a take's files end with.
struct TakeEnd: Sendable {
  /// One beyond the last frame that belongs to the file.
  let index: SampleIndex
  let t1: SharedInstant
  /// Whether the file reaches to T1; else it was broken off.
  let isWhole: Bool
  let clock: SampleClock
  let map: ClockMap?
}

/// Something that goes into a take's files beside the sound.
struct TakeItem: Sendable {
  enum Content: Sendable {
    case entry(TimingLogEntry)
    /// Where the frame lies in both times.
    case place(SampleClock, ClockMap)
    case gap(StreamGap)
    /// The stream stopped and began anew without a loss.
    case stop(StreamGap)
    /// A gap that may still grow, as it stands.
    case grows(StreamGap)
    /// In words; with the instant that a person meant.
    case marker(String, SharedInstant? = nil)
  }

  /// The frame that must be in the file before this is.
  let index: SampleIndex
  let content: Content
}
