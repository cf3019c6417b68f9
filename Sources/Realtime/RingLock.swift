internal import Glibc
internal import Units

/// Keeps that part of a ring in memory which is being written, so that the capture thread never
/// waits for a page.
///
/// A whole ring of minutes is more than most systems let a user lock; a second ahead of the
/// newest frame and a second behind it are enough. A small ring is locked whole where that is
/// allowed: each move costs the system some work. Not for the capture thread itself: locking is a
/// call that may take its time.
public struct RingLock: Sendable {
  private let ring: FrameRing
  private let reach: Int64
  private let pageBytes: Int
  private var lockedTo: Int64
  private var lockedFrom: Int64
  /// The whole ring is locked, and nothing moves.
  private let isWhole: Bool
  /// Whether the system lets this user lock the memory.
  public private(set) var isHeld = true

  /// A ring of so many bytes is locked whole, where the system allows it: all of it is written again
  /// within seconds, so that nothing is gained by moving it out.
  static let mostWhole = 1 << 30

  /// Locks the whole of a small ring; else `frames` around its newest, half of them ahead.
  public init(ring: FrameRing, frames: Int) {
    self.ring = ring
    reach = Int64(max(1, min(frames, ring.capacity) / 2))
    pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
    lockedFrom = ring.end.value
    lockedTo = ring.end.value
    isWhole =
      ring.byteCount <= Self.mostWhole
      && ring.forEachPiece(from: 0, to: Int64(ring.capacity)) { mlock($0, $1) == 0 }
    follow()
  }

  /// Moves on to where the ring is now; call it several times a second.
  public mutating func follow() {
    guard !isWhole else { return }
    let end = ring.end.value
    guard isHeld, end + reach - lockedTo >= reach / 2 || lockedTo == lockedFrom else { return }
    let from = max(lockedTo, end)
    isHeld = ring.forEachPiece(from: from, to: end + reach) { start, count in
      mlock(start, count) == 0
    }
    lockedTo = end + reach
    guard isHeld, end - reach > lockedFrom else { return }
    // Whole pages alone are given back: the edges are shared with what stays.
    let page = pageBytes
    _ = ring.forEachPiece(from: max(lockedFrom, end - Int64(ring.capacity)), to: end - reach) {
      start, count in
      let first = (Int(bitPattern: start) + page - 1) / page * page
      let last = (Int(bitPattern: start) + count) / page * page
      guard last > first, let whole = UnsafeMutableRawPointer(bitPattern: first) else {
        return true
      }
      return munlock(whole, last - first) == 0
    }
    lockedFrom = end - reach
  }

  /// Lets go of all that is locked: what the memory is used for next need not be. Nothing follows.
  public mutating func release() {
    _ = ring.forEachPiece(from: 0, to: Int64(ring.capacity)) { munlock($0, $1) == 0 }
    isHeld = false
  }
}
