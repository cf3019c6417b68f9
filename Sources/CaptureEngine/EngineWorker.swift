internal import ALSA
internal import Glibc
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
  /// How often it looks, in microseconds.
  static let pace: UInt32 = 20_000
  /// How often the log gets its line.
  static let logInterval = Duration.seconds(1)
  /// How long opening the files may take, while the ring's oldest frames are overwritten.
  static let opening = Duration.milliseconds(200)
  /// While T1 lies ahead, the writers stay so far behind it: where it lies is not final yet.
  static let margin = Duration.milliseconds(100)

  /// The most gaps that are remembered for a take yet to come.
  static let mostGaps = 1024

  let context: EngineContext
  let stream: CaptureStream
  let shape: CardShape
  var clock: SampleClock
  var writers: TakeWriters?
  private var levels: LevelWatch
  /// A gap that may still grow: a card that is gone is silence piece by piece.
  var pending: StreamGap?
  /// Gaps that the ring still reaches back to, for a take that begins before them.
  private var recent: [StreamGap] = []
  private var lastLog: HostInstant
  private var armings: Int
  private var wallClock = WallClockWatch()

  init(context: EngineContext, stream: CaptureStream, shape: CardShape) {
    self.context = context
    self.stream = stream
    self.shape = shape
    let now = context.clock.now()
    clock = SampleClock(rate: shape.rate, started: now)
    levels = LevelWatch(shape: shape)
    lastLog = now
    armings = context.armings
  }

  /// Runs until the engine is disarmed.
  func run() {
    while !stream.shallStop.load(ordering: .relaxed) {
      turn()
      usleep(Self.pace)
    }
    drainStamps()
    drainGaps()
    keepWhatIsThere()
  }

  private func turn() {
    drainStamps()
    drainGaps()
    listen()
    switch context.state {
    case .scheduled(let plan, let t0, _): beginIfDue(plan, t0: t0)
    case .rolling(let plan, let t0, let t1):
      if writers == nil { openIfDue(plan, t0: t0, t1: t1) }
      feed()
      endIfDue(t1)
      finishIfClosed()
    case .idle, .armed: break
    }
    context.update { $0.cardExcess = clock.excess }
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

  private func drainStamps() {
    while let stamp = stream.stamps.pop() {
      clock.observe(
        count: FrameCount(stamp.count), at: HostInstant(nanoseconds: stamp.hostNanoseconds))
    }
    if let line = clock.line {
      stream.picosecondsPerFrame.store(
        Int64((line.nanosecondsPerFrame * 1000).rounded()), ordering: .relaxed)
    }
  }

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
    self.writers?.report(to: context)
    self.writers = nil
    if writers.standing == .closed { context.endTake() } else { context.abandonTake() }
  }

  /// Shut down in the middle of a take: all that was captured is kept, as a whole file.
  private func keepWhatIsThere() {
    guard case .rolling(let plan, let t0, let t1) = context.state else { return }
    if writers == nil { openIfDue(plan, t0: t0, t1: t1 ?? t0) }
    guard writers != nil else { return }
    feed()
    let end = stream.ring.end
    let map = timeline()?.0
    let last = clock.host(of: end - FrameCount(1)).flatMap { host in map?.shared(at: host) }
    writers?.end(
      TakeEnd(index: end, t1: last ?? t0, isWhole: false, clock: clock, map: map))
    writers?.join()
    writers?.report(to: context)
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
    guard !cut.pays(toWaitFrom: t0, t1: t1, oldest: oldest, end: end),
      let t0Index = cut.index(nearest: t0),
      let begins = cut.beginning(
        at: t0 - kept, oldest: oldest, end: end, spare: shape.rate.frames(in: Self.opening))
    else { return }
    let opening = TakeOpening(
      plan: plan, t0: t0, beginning: begins, t0Index: t0Index, session: session, clock: clock,
      map: map, coordinator: context.inbox.coordinator)
    let opened = TakeWriters(opening: opening, context: context, stream: stream, shape: shape)
    lastLog = context.clock.now()
    note(opening, in: opened)
    writers = opened
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
    recent.removeAll { $0.end <= stream.ring.oldest }
    for gap in recent where gap.end > begins.first { opened.post(.gap(gap), at: gap.end) }
    if kept > .zero, missing == nil { opened.post(.marker("T0"), at: opening.t0Index) }
    guard let missing else { return }
    let text = "begins \(missing.inSeconds) s after T0: the ring did not reach back"
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
    settleGap()
    if context.input.postRoll > .zero { writers.post(.marker("T1"), at: t1Index) }
    self.writers?.end(TakeEnd(index: end, t1: t1, isWhole: true, clock: clock, map: map))
  }
}

// Gaps.
extension EngineWorker {
  private func drainGaps() {
    while let gap = stream.gaps.pop() {
      if gap.boundFrames > 0 { clock.startAnew() }
      if let whole = pending?.joined(with: gap) {
        pending = whole
        continue
      }
      settleGap()
      pending = gap
      context.update { $0.gaps += 1 }
      if gap.cause == .disconnected {
        context.warn("the card is gone; silence stands for it until it comes back")
      }
    }
    // Once there is sound behind it a gap grows no more.
    if let gap = pending, gap.end < stream.ring.end { settleGap() }
  }

  /// Writes down the gap that was growing, if one was.
  private func settleGap() {
    guard let gap = pending else { return }
    pending = nil
    context.warn("\(gap.frames) frames were lost (\(gap.cause.word)); silence stands for them")
    recent.removeAll { $0.end <= stream.ring.oldest }
    recent = recent.suffix(Self.mostGaps - 1) + [gap]
    writers?.post(.gap(gap), at: gap.end)
  }
}
