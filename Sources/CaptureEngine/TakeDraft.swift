internal import Recording
internal import Units

/// What is kept safe of a take whose first frame cannot be told to the frame yet.
///
/// A stream that has only just begun is not known well enough to be cut, so the cut waits. What
/// comes meanwhile is in memory, where a crash would take it. So it is written at once into files
/// that begin a little earlier than the take does (`…_000.wav.part`), and these are gone again as
/// soon as the take's own files hold the same, safe on the disk.
struct TakeDraft {
  private var writers: TakeWriters
  /// What the take's own files must hold before these may go; nothing while there are none.
  private var reach: SampleIndex?
  private var left: Set<Int> = []

  /// Begins with what `opening` says, which is not final.
  init(opening: TakeOpening, context: EngineContext, stream: CaptureStream, shape: CardShape) {
    var opening = opening
    opening.isDraft = true
    writers = TakeWriters(opening: opening, context: context, stream: stream, shape: shape)
  }

  /// Whether anything of it is being written.
  var isAlive: Bool { writers.standing != .failed }

  func post(_ content: TakeItem.Content, at index: SampleIndex) {
    if reach == nil { writers.post(content, at: index) }
  }

  /// All before `index` may be written.
  mutating func allow(upTo index: SampleIndex, isDue: Bool) {
    if reach == nil { writers.allow(upTo: index, isDue: isDue) }
  }

  /// The take's own files are begun: these go no further than to `index`.
  mutating func hold(at index: SampleIndex) {
    reach = index
    writers.hold(at: index)
  }

  /// Takes away what is safe in the take's own files, and leaves behind what never will be.
  ///
  /// - Returns: whether all are gone or left behind.
  mutating func follow(_ own: TakeWriters) -> Bool {
    guard let reach else { return false }
    for (place, safe) in own.safe.enumerated() where !left.contains(place) {
      if let safe, safe < reach { continue }
      writers.leave(place, safe == nil ? .kept : .discarded)
      left.insert(place)
    }
    return left.count == own.safe.count && writers.standing != .running
  }

  /// What failed, in sentences; that somebody took the files away is said of the take's own.
  var failures: [String] {
    writers.failures.filter { !$0.isRemoval }.map {
      "the take's beginning could not be kept safe while it was measured: \($0)"
    }
  }

  /// Leaves behind what is still there, and waits for that.
  func end() {
    writers.leaveAll(.kept)
    writers.join()
  }
}
