internal import Glibc
internal import Units

/// Comes back at even distances, whatever is done in between.
struct Pace {
  private let distance: Duration
  private var next: ContinuousClock.Instant

  init(_ distance: Duration) {
    self.distance = distance
    next = ContinuousClock.now + distance
  }

  /// Sleeps until the next turn; turns that have passed are left out.
  mutating func wait() {
    let left = ContinuousClock.now.duration(to: next)
    if left > .zero { usleep(useconds_t(clamping: left.wholeNanoseconds / 1000)) }
    next = left > .zero ? next + distance : ContinuousClock.now + distance
  }
}
