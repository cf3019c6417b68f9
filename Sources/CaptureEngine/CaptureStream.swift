internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

/// So many frames had been taken at this host time.
struct StreamStamp: BitwiseCopyable, Sendable {
  var count: Int64
  var hostNanoseconds: Int64
  /// Whether the driver said so; else it is a reading around the call.
  var isStamped: Bool
  /// Whether the pointer was seen to move then; else it had moved some time before.
  var isEdge = false
}

/// What the capture thread tells, in the order in which it happened.
enum StreamEvent: BitwiseCopyable, Sendable {
  case stamp(StreamStamp)
  case gap(StreamGap)
  /// A card that was gone is there again.
  case back
}

/// Where the capture thread and the others meet: the thread's whole output, and all that it is told.
final class CaptureStream: Sendable {
  /// How many events wait at most: half a minute of them.
  static let mostEvents = 4096
  /// Of these, how many only gaps may take.
  static let eventsForGaps = 1024

  let ring: FrameRing
  let events = WaitFreeQueue<StreamEvent>(capacity: mostEvents, filler: .back)
  /// The line from frames to time as measured, for lengths that must be inferred.
  let lines: WaitFreeQueue<StreamLine>
  /// Losses that were found afterwards, to be made up for by silence.
  let repairs: WaitFreeQueue<StreamGap>
  /// Rung some times a second, when there is something new to follow.
  let bell: Doorbell
  let shallStop = Atomic<Bool>(false)
  let isGone = Atomic<Bool>(false)
  /// Whether somebody waits for the newest frames: a take begins or ends, or frames may be lost.
  let isUrgent = Atomic<Bool>(false)
  /// The line that a stream has before anything is seen of it.
  let nominal: StreamLine

  init(ring: FrameRing, rate: SampleRate, bell: Doorbell = Doorbell()) {
    self.ring = ring
    self.bell = bell
    nominal = StreamLine(
      count: 0, hostNanoseconds: 0, nanosecondsPerFrame: 1e9 / Double(rate.hertz),
      boundNanoseconds: 0, rateBound: 100e-6)
    lines = WaitFreeQueue(capacity: 16, filler: nominal)
    repairs = WaitFreeQueue(
      capacity: 4,
      filler: StreamGap(index: 0, frames: 0, boundFrames: 0, cause: .silentLoss))
  }
}
