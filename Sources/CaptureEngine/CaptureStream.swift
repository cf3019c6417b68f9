internal import ALSA
internal import Glibc
internal import HostClock
internal import Realtime
internal import Synchronization
internal import Units

/// So many frames had been taken at this host time.
struct StreamStamp: BitwiseCopyable, Sendable {
  var count: Int64
  var hostNanoseconds: Int64
  var isStamped: Bool
}

/// Frames that were lost and stand as silence in the ring.
struct StreamGap: BitwiseCopyable, Sendable {
  enum Cause: UInt8, BitwiseCopyable, Sendable {
    case notReadInTime
    case overrun
    case suspended
    case disconnected
    /// The ring went round before the disk had taken what was in it.
    case diskTooSlow

    var word: String {
      switch self {
      case .notReadInTime: "not_read_in_time"
      case .overrun: "overrun"
      case .suspended: "suspended"
      case .disconnected: "card_gone"
      case .diskTooSlow: "disk_too_slow"
      }
    }
  }

  var index: Int64
  var frames: Int64
  var boundFrames: Int64
  var cause: Cause

  /// One beyond the last lost frame.
  var end: SampleIndex { SampleIndex(index + frames) }

  /// What of it lies before `index`; nothing where none does.
  func before(_ index: SampleIndex) -> StreamGap? {
    guard self.index < index.value else { return nil }
    var part = self
    part.frames = min(frames, index.value - self.index)
    return part
  }

  /// Both as one, where `next` goes on where this ends and for the same cause.
  func joined(with next: StreamGap) -> StreamGap? {
    guard next.cause == cause, next.index == end.value else { return nil }
    return StreamGap(
      index: index, frames: frames + next.frames,
      boundFrames: max(boundFrames, next.boundFrames), cause: cause)
  }
}

/// Where the capture thread and the writer thread meet: the thread's whole output is here.
final class CaptureStream: Sendable {
  let ring: FrameRing
  let stamps = WaitFreeQueue<StreamStamp>(
    capacity: 4096, filler: StreamStamp(count: 0, hostNanoseconds: 0, isStamped: false))
  let gaps = WaitFreeQueue<StreamGap>(
    capacity: 1024, filler: StreamGap(index: 0, frames: 0, boundFrames: 0, cause: .overrun))
  /// The frame's length as measured, in picoseconds: the writer tells, for what must be inferred.
  let picosecondsPerFrame: Atomic<Int64>
  let shallStop = Atomic<Bool>(false)
  let isGone = Atomic<Bool>(false)

  init(ring: FrameRing, rate: SampleRate) {
    self.ring = ring
    picosecondsPerFrame = Atomic(1_000_000_000_000 / Int64(rate.hertz))
  }
}

/// The capture thread: from card to ring, and nothing else. It counts; others speak.
struct CaptureLoop: ~Copyable, Sendable {
  let card: PCMCapture
  let stream: CaptureStream
  let clock: HostClock
  private var count: Int64 = 0
  private var turns = 0
  private var last = StreamStamp(count: 0, hostNanoseconds: 0, isStamped: false)

  /// How often the pointer is looked at to see it move; a look takes about a microsecond.
  private static let looks = 32

  init(card: consuming PCMCapture, stream: CaptureStream, clock: HostClock) {
    self.card = card
    self.stream = stream
    self.clock = clock
  }

  /// Runs until the stream shall stop.
  consuming func run() {
    while !stream.shallStop.load(ordering: .relaxed) {
      do {
        if card.wait(milliseconds: 100) { try turn() } else { _ = try card.position() }
      } catch {
        recover(from: error)
      }
    }
  }

  private mutating func turn() throws(ALSAError) {
    let position = try card.position()
    note(position)
    try skipWhatIsLost(position)
    var left = position.available
    while left > 0 {
      let (target, room) = stream.ring.claim(left)
      let frames = try card.read(into: target, frames: room)
      if frames == 0 { break }
      stream.ring.publish(frames)
      count += Int64(frames)
      left -= frames
    }
    turns &+= 1
    if turns & 3 == 0 { try seekEdge() }
  }

  /// Looks on for about one frame's time until the pointer moves.
  ///
  /// Wake-ups paced by the card see its pointer always in the same phase, and so always equally
  /// late; the instant at which it moves is late by no more than one look.
  private mutating func seekEdge() throws(ALSAError) {
    let first = try card.position()
    for _ in 0..<Self.looks {
      let next = try card.position()
      if next.available != first.available { return note(next) }
    }
  }

  private mutating func note(_ position: PCMCapture.Position) {
    last = StreamStamp(
      count: count + Int64(position.available), hostNanoseconds: position.host.nanoseconds,
      isStamped: position.isStamped)
    stream.stamps.push(last)
  }

  /// More frames than the buffer holds: the oldest were overwritten. Two periods more are given
  /// up, since the card writes on while this is done.
  private mutating func skipWhatIsLost(_ position: PCMCapture.Position) throws(ALSAError) {
    guard position.available > card.bufferFrames else { return }
    let wanted = position.available - card.bufferFrames + 2 * card.periodFrames
    let lost = Int64(try card.forward(wanted))
    silence(lost, cause: .notReadInTime, bound: 0)
  }

  private mutating func silence(_ frames: Int64, cause: StreamGap.Cause, bound: Int64) {
    guard frames > 0 else { return }
    stream.gaps.push(
      StreamGap(index: count, frames: frames, boundFrames: bound, cause: cause))
    stream.ring.publishSilence(frames)
    count += frames
  }

  private mutating func recover(from error: ALSAError) {
    switch error.reason {
    case .overrun: restart(cause: .overrun)
    case .suspended: restart(cause: .suspended)
    default: restart(cause: .disconnected)
    }
  }

  /// Starts the stream anew, and fills what passed meanwhile with silence: its length follows from
  /// the host's clock and the crystal's measured rate.
  private mutating func restart(cause: StreamGap.Cause) {
    do {
      try card.prepare()
      try card.start()
      let position = try card.position()
      let expected = expectedCount(at: position.host)
      silence(expected - count - Int64(position.available), cause: cause, bound: 48)
    } catch {
      // The card is gone: the take rolls on as silence, at the pace the crystal had.
      stream.isGone.store(true, ordering: .relaxed)
      usleep(50_000)
      silence(expectedCount(at: clock.now()) - count, cause: .disconnected, bound: 48)
    }
  }

  private func expectedCount(at host: HostInstant) -> Int64 {
    let elapsed = host.nanoseconds - last.hostNanoseconds
    let spacing = stream.picosecondsPerFrame.load(ordering: .relaxed)
    guard elapsed > 0, spacing > 0, elapsed < 4_000_000_000_000 else { return count }
    return last.count + elapsed * 1000 / spacing
  }
}
