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
  /// How often it looks, in milliseconds: oftener where a take begins or ends.
  static let pace: Int32 = 200
  static let quickPace: Int32 = 20
  /// How often the writers are woken: less often than it looks, since each time costs a disk's turn.
  static let writing = Duration.milliseconds(350)
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
  private var lastLog: HostInstant
  var lastWriting: HostInstant
  var lastEnd = SampleIndex(0)
  private var armings: Int
  private var wallClock = WallClockWatch()

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

  /// What the log gets: what happened elsewhere, and once a second where the newest frame lies.
  private func feed() {
    guard let writers else { return }
    let end = stream.ring.end
    for entry in context.takeLogEntries() { writers.post(.entry(entry), at: end) }
    let now = context.clock.now()
    if let (map, _) = timeline() { placeMarks(map, now: now) }
    if now - lastLog >= Self.logInterval, let (map, _) = timeline() {
      lastLog = now
      noteWallStep(at: end)
      writers.post(.place(clock, map), at: end)
    }
    self.writers?.report(to: context)
  }

  /// Marks whose instants have come are marks of frames.
  private func placeMarks(_ map: ClockMap, now: HostInstant) {
    for mark in context.inbox.takeMarks(upTo: map.shared(at: now)) {
      guard let index = clock.index(nearest: map.host(at: mark.shared)) else { continue }
      writers?.post(.marker(mark.text, mark.shared), at: index)
    }
  }

  private func noteWallStep(at end: SampleIndex) {
    let reading = context.clock.sandwich()
    let step = wallClock.look(host: reading.host, unixNanoseconds: reading.otherNanoseconds)
    guard let step else { return }
    let entry = TimingLogWallStep(
      host: reading.host, stepNanoseconds: step, unixNanoseconds: reading.otherNanoseconds)
    writers?.post(.entry(.wallStep(entry)), at: end)
  }

  private func finishIfClosed() {
    guard let writers, writers.standing != .running else { return }
    followDraft()
    guard draft == nil else { return }
    self.writers?.report(to: context)
    self.writers = nil
    if writers.standing == .closed { context.endTake() } else { context.abandonTake() }
  }

  /// Shut down in the middle of a take: all that was captured is kept, as a whole file.
  private func keepWhatIsThere() {
    guard case .rolling(let plan, let t0, let t1) = context.state else { return }
    if writers == nil { openIfDue(plan, t0: t0, t1: t1 ?? t0) }
    guard writers != nil else { return }
    for gap in follower.allGaps() { settle(gap) }
    feed()
    let end = stream.ring.end
    let map = timeline()?.0
    let last = clock.host(of: end - FrameCount(1)).flatMap { host in map?.shared(at: host) }
    writers?.end(
      TakeEnd(index: end, t1: last ?? t0, isWhole: false, clock: clock, map: map))
    writers?.join()
    writers?.report(to: context)
    followDraft()
    draft?.end()
    draft = nil
    writers = nil
  }
}

// Beginning and end.
extension EngineWorker {
  /// How much of what came before T0 is kept.
  private var kept: Duration { context.input.keepsPreRoll ? context.input.preRoll : .zero }

  /// The take rolls as soon as the frame nearest to T0 is in the ring.
  private func beginIfDue(_ plan: TakePlan, t0: SharedInstant) {
    guard let (map, _) = timeline(),
      Cut(clock: clock, map: map).isTaken(t0, end: stream.ring.end)
    else { return }
    context.begin(plan, t0: t0)
  }

  /// Opens the take's files as soon as its first frame can be told well enough.
  private func openIfDue(_ plan: TakePlan, t0: SharedInstant, t1: SharedInstant?) {
    let (oldest, end) = (stream.ring.oldest, stream.ring.end)
    guard let (map, session) = timeline() else { return }
    let cut = Cut(clock: clock, map: map)
    let waits = cut.pays(toWaitFrom: t0, t1: t1, oldest: oldest, end: end)
    guard !waits || draft == nil, let t0Index = cut.index(nearest: t0),
      let begins = cut.beginning(
        at: t0 - kept - (waits ? Cut.slack : .zero), oldest: oldest, end: end,
        spare: shape.rate.frames(in: Self.opening))
    else { return }
    var opening = TakeOpening(
      plan: plan, t0: t0, beginning: begins, t0Index: t0Index, session: session, clock: clock,
      map: map, coordinator: context.inbox.coordinator)
    lastLog = context.clock.now()
    if waits {
      say(cut, begins: t0 - kept)
      draft = TakeDraft(opening: opening, context: context, stream: stream, shape: shape)
      return
    }
    draft?.hold(at: end)
    opening.followsDraft = draft?.isAlive ?? false
    let opened = TakeWriters(opening: opening, context: context, stream: stream, shape: shape)
    note(opening, in: opened)
    writers = opened
  }

  /// Says where the first sample lies as far as that is known of a young stream.
  private func say(_ cut: Cut, begins: SharedInstant) {
    let (oldest, end) = (stream.ring.oldest, stream.ring.end)
    guard let first = cut.beginning(at: begins, oldest: oldest, end: end, spare: .zero) else {
      return
    }
    context.update {
      $0.firstSample = HostReport.FirstSample(
        sharedNs: first.shared.nanoseconds, boundNs: first.boundNanoseconds)
    }
  }

  /// Places for the draft's log; and what is safe elsewhere by now is taken away.
  private func followDraft() {
    guard draft != nil else { return }
    if let writers {
      guard draft?.follow(writers) == true else { return }
      // What keeps the take itself from its folder is said of the take.
      if writers.standing == .closed || writers.standing == .running {
        for words in draft?.failures ?? [] { context.warn(words) }
      }
      draft = nil
    } else if context.clock.now() - lastLog >= Self.logInterval, let (map, _) = timeline() {
      lastLog = context.clock.now()
      draft?.post(.place(clock, map), at: stream.ring.end)
    }
  }

  private func note(_ opening: TakeOpening, in opened: TakeWriters) {
    let begins = opening.beginning
    let missing = begins.first > opening.t0Index ? begins.shared - opening.t0 : nil
    context.update {
      $0.firstSample = HostReport.FirstSample(
        sharedNs: begins.shared.nanoseconds, boundNs: begins.boundNanoseconds)
      $0.recordedFrames = 0
      $0.headMissing = missing
      $0.tailExcess = nil
    }
    for gap in follower.ledger.ended where gap.end > begins.first {
      opened.post(.gap(gap), at: gap.end)
    }
    if kept > .zero, missing == nil { opened.post(.marker("T0"), at: opening.t0Index) }
    guard let missing else { return }
    let seconds = Double(missing.wholeNanoseconds / 1_000_000) / 1000
    let text = "begins \(seconds) s after T0: the ring did not reach back"
    opened.post(.marker(text), at: begins.first)
    context.warn("the take \(text)")
  }

  /// Ends the take at the frame nearest to T1, or behind the post-roll, once that is in the ring.
  private func endIfDue(_ t1: SharedInstant?) {
    guard let t1, let writers, !writers.isEnding, let (map, _) = timeline() else { return }
    let cut = Cut(clock: clock, map: map)
    guard let t1Index = cut.index(nearest: t1),
      let last = cut.index(nearest: t1 + context.input.postRoll)
    else { return }
    let end = max(last, writers.opening.beginning.first)
    guard end <= stream.ring.end else {
      return writers.hold(at: end - shape.rate.frames(in: Self.margin))
    }
    for gap in follower.allGaps() { settle(gap) }
    if context.input.postRoll > .zero { writers.post(.marker("T1"), at: t1Index) }
    self.writers?.end(TakeEnd(index: end, t1: t1, isWhole: true, clock: clock, map: map))
  }
}
