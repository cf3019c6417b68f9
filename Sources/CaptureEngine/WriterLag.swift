internal import Units

/// How far a writer is behind what it might have written.
///
/// What it begins with is much, as a rule: the pre-roll, or all that has come while a young stream
/// was measured. That waits for no disk. So the least that ever waited is left out, which is what
/// it began with until that is written.
struct WriterLag: Sendable {
  /// Behind at the last look, and at most at any.
  private(set) var now = FrameCount.zero
  private(set) var most = FrameCount.zero
  private var least: FrameCount?
  private var last: SampleIndex?

  /// Takes a look.
  ///
  /// - Parameters:
  ///   - next: the frame that is written next.
  ///   - index: up to where might be written for a while.
  mutating func look(next: SampleIndex, allowed index: SampleIndex) {
    // Files that are begun anew begin with what the ring still holds.
    if let last, next < last { least = nil }
    last = next
    let waiting = max(.zero, index - next)
    let least = min(self.least ?? waiting, waiting)
    self.least = least
    now = waiting - least
    most = max(most, now)
  }
}
