internal import ALSA
internal import HostClock
internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

/// The engine's thread: stamps to the sample clock, levels to the meters, and the cut.
///
/// Lives on one thread from arming to disarming, and never touches a disk: that is for the take's
/// writers.
final class EngineWorker {
  /// How often it looks, in milliseconds, unless it is woken: the capture thread does so behind a
  /// reading, so that what is new is told, shown and written while it is fresh. Oftener where a take
  /// begins or ends.
  static let pace: Int32 = 250
  static let quickPace: Int32 = 20
  /// How often the writers are woken at most: each second time that it looks, since each costs a
  /// disk's turn, also where it looked late the time before.
  static let writing = Duration.milliseconds(300)
  /// How long before a take begins or ends it looks oftener.
  static let haste = Duration.milliseconds(300)
  /// How often the log gets its line.
  static let logInterval = Duration.seconds(1)
  /// How long opening the files may take, while the ring's oldest frames are overwritten.
  static let opening = Duration.milliseconds(200)
  /// While T1 lies ahead, the writers stay so far behind it: where it lies is not final yet.
  static let margin = Duration.milliseconds(100)

  let context: EngineContext
  let stream: CaptureStream
  let shape: CardShape
  let tenure: CardTenure
  var toldKeeper: String?
  var follower: StreamFollower
  private var lock: RingLock
  var writers: TakeWriters?
  /// What is kept safe until the take's own files are.
  var draft: TakeDraft?
  private var levels: LevelWatch
  var lastLog: HostInstant
  var lastWriting: HostInstant
  var lastEnd = SampleIndex(0)
  private var armings: Int
  var wallClock = WallClockWatch()

  init(
    context: EngineContext, stream: CaptureStream, shape: CardShape, tenure: CardTenure
  ) {
    self.context = context
    self.tenure = tenure
    self.stream = stream
    self.shape = shape
    let now = context.clock.now()
    follower = StreamFollower(stream: stream, rate: shape.rate, started: now)
    lock = RingLock(ring: stream.ring, frames: 2 * shape.rate.hertz)
    levels = LevelWatch(shape: shape)
    lastLog = now
    lastWriting = now
    armings = context.armings
  }

  /// Runs until the engine is disarmed.
  func run() {
    while !stream.shallStop.load(ordering: .relaxed) {
      turn()
      let isQuick = isQuick
      stream.isUrgent.store(isQuick || follower.isSuspicious, ordering: .relaxed)
      context.bell.rest(milliseconds: isQuick ? Self.quickPace : Self.pace)
    }
    follow()
    keepWhatIsThere()
    followDraft()
    draft?.end()
    lock.release()
  }

  private var isQuick: Bool {
    switch context.state {
    case .idle, .armed: false
    case .scheduled(_, let t0, _): isNear(t0)
    case .rolling(_, _, let t1): writers == nil || t1.map(isNear) ?? false
    }
  }

  private func isNear(_ instant: SharedInstant) -> Bool {
    guard let map = context.clockMap() else { return true }
    return instant - map.shared(at: context.clock.now()) < Self.haste
  }

  private func turn() {
    follow()
    lock.follow()
    listen()
    switch context.state {
    case .scheduled(let plan, let t0, _): beginIfDue(plan, t0: t0)
    case .rolling(let plan, let t0, let t1):
      if writers == nil { openIfDue(plan, t0: t0, t1: t1) }
      feed()
      followDraft()
      endIfDue(t1)
      finishIfClosed()
    case .idle, .armed: break
    }
    context.update {
      $0.cardExcess = clock.excess
      $0.isLocked = lock.isHeld
    }
  }

  private func listen() {
    if armings != context.armings {
      armings = context.armings
      levels.reset()
    }
    guard let heard = levels.look(at: stream.ring) else { return }
    context.update {
      $0.levels = heard
      $0.clipped = levels.clipped
      $0.silentChannels = levels.silentChannels
    }
  }

  var clock: SampleClock { follower.clock }

  /// The map and the session, where both are known and are of one another.
  func timeline() -> (ClockMap, Session)? {
    guard let map = context.clockMap(), let session = context.session(),
      map.session == session.id
    else { return nil }
    return (map, session)
  }
}
