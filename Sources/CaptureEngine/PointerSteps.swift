internal import Recording

/// How a card's pointer moves, and when it will next: what it takes to see it move.
///
/// A look at the pointer finds it where it has been for some time already, up to a whole step. A
/// look that finds it elsewhere than the look just before is late by what lies between the two. A
/// pointer that moves with each frame is looked at until it moves; one that moves by whole packets
/// is waited for, from shortly before the line says that it can move. Packets show late, and those
/// that show as soon as they can tell the most of the crystal: around that instant one look follows
/// the other, and what shows later is looked for between naps.
///
/// Its constants are computed, since a stored one is made at its first use, under a lock.
struct PointerSteps: BitwiseCopyable, Sendable {
  /// How often it is looked at in a row; a look takes some microseconds.
  static var looks: Int { 32 }
  /// So many such rows without a move, and it moves by packets.
  static var mostMisses: Int { 3 }
  /// How often one that moves by packets is looked at, with how many naps between, and how long
  /// these are.
  static var packetLooks: Int { 160 }
  static var mostNaps: Int { 64 }
  static var napMicroseconds: UInt32 { 20 }
  /// From how long before it can move to how long after it is looked at without a nap.
  private static var closeNanoseconds: (before: Int64, after: Int64) { (80_000, 25_000) }
  /// How long before it can move it is looked at already, at least and at most.
  private static var leastAheadNanoseconds: Int64 { 40_000 }
  private static var mostAheadNanoseconds: Int64 { 5_000_000 }
  /// The longest wait for it.
  private static var longestWaitNanoseconds: Int64 { 5_000_000 }
  /// Two looks further apart than this do not say when it moved: for a frame, and for a packet.
  private static var openNanoseconds: (frame: Int64, packet: Int64) { (25_000, 150_000) }

  private var misses = 0
  /// The least that it was seen to move by at once, in frames.
  private var leastFrames = Int64.max
  /// A line that is late would have it looked at when it has moved already, and stay late: each
  /// time it is looked at sooner.
  private var aheadNanoseconds = Self.leastAheadNanoseconds

  /// Whether it moves by packets.
  var areLarge: Bool { misses >= Self.mostMisses }

  /// It did not move while it was looked at.
  @_noLocks
  mutating func missed() {
    misses = min(misses + 1, Self.mostMisses)
  }

  /// It moved by so many frames, each of so many nanoseconds, between two looks; whether that says
  /// when.
  @_noLocks
  mutating func moved(
    by frames: Int64, of frameNanoseconds: Double, within nanoseconds: Int64
  ) -> Bool {
    guard areLarge else {
      misses = 0
      return nanoseconds <= Self.openNanoseconds.frame
    }
    guard nanoseconds <= Self.openNanoseconds.packet else { return false }
    // It had merely stood still for a while: it moves by no more than time does.
    if Double(frames - 1) * frameNanoseconds <= Double(nanoseconds) { self = PointerSteps() }
    leastFrames = min(leastFrames, max(1, frames))
    return true
  }

  /// It had moved already when the wait for it was over, or had not.
  @_noLocks
  mutating func waited(tooLong: Bool) {
    aheadNanoseconds =
      tooLong
      ? min(aheadNanoseconds * 2, Self.mostAheadNanoseconds)
      : max(aheadNanoseconds - aheadNanoseconds / 16, Self.leastAheadNanoseconds)
  }

  /// How often it is looked at in a row at most.
  var mostLooks: Int { areLarge ? Self.packetLooks : Self.looks }

  /// How long it is of no use to look at a pointer that stands at `count`, in nanoseconds.
  @_noLocks
  func wait(at count: Int64, now: Int64, line: StreamLine) -> Int64 {
    guard areLarge, leastFrames < .max, line.hostNanoseconds > 0 else { return 0 }
    let longest = min(
      Self.longestWaitNanoseconds, Int64(Double(leastFrames) * line.nanosecondsPerFrame))
    return max(0, min(next(after: count, line: line) - now - aheadNanoseconds, longest))
  }

  /// How long to rest between two looks at a pointer that stands at `count`, in microseconds.
  @_noLocks
  func nap(at count: Int64, now: Int64, line: StreamLine) -> UInt32 {
    guard areLarge else { return 0 }
    guard leastFrames < .max, line.hostNanoseconds > 0 else { return Self.napMicroseconds }
    let late = now - next(after: count, line: line)
    let isClose = late >= -Self.closeNanoseconds.before && late < Self.closeNanoseconds.after
    return isClose ? 0 : Self.napMicroseconds
  }

  /// When one that stands at `count` can move next, by the line.
  @_noLocks
  private func next(after count: Int64, line: StreamLine) -> Int64 {
    let frames = Double(count + leastFrames) - line.count
    return line.hostNanoseconds + Int64(frames * line.nanosecondsPerFrame)
  }
}
