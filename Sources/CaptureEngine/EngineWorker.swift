internal import ALSA
internal import BroadcastWave
internal import Glibc
internal import HostClock
internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

/// The writer thread: stamps to the sample clock, levels to the meters, frames to the disk.
///
/// Lives on one thread from arming to disarming, and may block on the disk as long as it takes:
/// the ring waits for it.
final class EngineWorker {
  /// The most frames that are handled at once: a tenth of a second at 192 kHz.
  static let chunk = 19_200
  /// How often the header is made true and the log gets its line.
  static let syncInterval = Duration.milliseconds(500)
  static let logInterval = Duration.seconds(1)
  /// A disk that takes so long to write is worth a line.
  static let stall = Duration.milliseconds(250)
  /// How long opening the files may take, while the ring's oldest frames are overwritten.
  static let opening = Duration.milliseconds(200)

  private let context: EngineContext
  private let stream: CaptureStream
  private let conversion: SampleConversion
  private let shape: CardShape
  private var clock: SampleClock
  private var recorder: TakeRecorder?
  private var buffer: [UInt8]
  private var packed: [UInt8] = []
  private var levels: LevelWatch
  /// A gap that may still grow: a card that is gone is silence piece by piece.
  private var pending: StreamGap?
  private var lastSync: HostInstant
  private var lastLog: HostInstant
  private var wallClock = WallClockWatch()

  init(context: EngineContext, stream: CaptureStream, shape: CardShape) {
    self.context = context
    self.stream = stream
    self.shape = shape
    conversion = SampleConversion(format: shape.format, encoding: shape.encoding)
    let now = context.clock.now()
    clock = SampleClock(rate: shape.rate, started: now)
    buffer = [UInt8](repeating: 0, count: Self.chunk * shape.bytesPerFrame)
    levels = LevelWatch(shape: shape)
    lastSync = now
    lastLog = now
  }

  /// Runs until the engine is disarmed.
  func run() {
    while !stream.shallStop.load(ordering: .relaxed) {
      turn()
      usleep(10_000)
    }
    drainStamps()
    attempt { worker throws(CaptureError) in try worker.keepWhatIsThere() }
  }

  /// Shut down in the middle of a take: all that was captured is kept, as a whole file.
  private func keepWhatIsThere() throws(CaptureError) {
    guard case .rolling(let plan, let t0, _) = context.state else { return }
    try drainGaps()
    if recorder == nil { try openIfDue(plan, t0: t0, t1: t0) }
    guard let recorder else { return }
    let end = stream.ring.end
    while recorder.next < end { try copy(to: recorder, until: end) }
    for entry in context.takeLogEntries() { try recorder.write(entry) }
    try close(t1: lastShared(of: recorder) ?? t0, isComplete: false)
  }

  /// When the newest frame of the file was taken.
  private func lastShared(of recorder: TakeRecorder) -> SharedInstant? {
    guard let (map, _) = timeline(), let host = clock.host(of: recorder.next - FrameCount(1)) else {
      return nil
    }
    return map.shared(at: host)
  }

  private func turn() {
    drainStamps()
    if let heard = levels.look(at: stream.ring) {
      context.update {
        $0.levels = heard.levels
        $0.clipped += heard.clipped
      }
    }
    attempt { worker throws(CaptureError) in
      try worker.drainGaps()
      switch worker.context.state {
      case .scheduled(let plan, let t0): worker.beginIfDue(plan, t0: t0)
      case .rolling(let plan, let t0, let t1):
        if worker.recorder == nil { try worker.openIfDue(plan, t0: t0, t1: t1) }
        try worker.record(until: t1)
      case .idle, .armed: break
      }
    }
    context.update { snapshot in
      snapshot.cardExcess = clock.excess
      snapshot.recordedFrames = recorder?.frames ?? snapshot.recordedFrames
    }
  }

  /// A failed disk ends the take with what there is, loudly, and leaves the host armed.
  private func attempt(_ work: (EngineWorker) throws(CaptureError) -> Void) {
    do {
      try work(self)
    } catch {
      context.warn("recording has stopped: \(error)")
      recorder = nil
      context.abandonTake()
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

  private func drainGaps() throws(CaptureError) {
    while let gap = stream.gaps.pop() {
      if gap.boundFrames > 0 { clock.startAnew() }
      if let whole = pending?.joined(with: gap) {
        pending = whole
        continue
      }
      try settleGap()
      pending = gap
      context.update { $0.gaps += 1 }
      if gap.cause == .disconnected {
        context.warn("the card is gone; silence stands for it until it comes back")
      }
    }
    // Once there is sound behind it a gap grows no more.
    if let gap = pending, gap.end < stream.ring.end { try settleGap() }
  }

  /// Writes down the gap that was growing, if one was.
  private func settleGap() throws(CaptureError) {
    guard let gap = pending else { return }
    pending = nil
    context.warn("\(gap.frames) frames were lost (\(gap.cause.word)); silence stands for them")
    try recorder?.note(gap)
  }

  /// The map and the session, where both are known and are of one another.
  private func timeline() -> (ClockMap, Session)? {
    guard let map = context.clockMap(), let session = context.session(),
      map.session == session.id
    else { return nil }
    return (map, session)
  }

  private func cut(by map: ClockMap) -> Cut { Cut(clock: clock, map: map) }

  /// The take rolls as soon as the frame nearest to T0 is in the ring.
  private func beginIfDue(_ plan: TakePlan, t0: SharedInstant) {
    guard let (map, _) = timeline(), cut(by: map).isTaken(t0, end: stream.ring.end) else { return }
    context.begin(plan, t0: t0)
  }

  /// Opens the take's files as soon as its first frame can be told well enough.
  private func openIfDue(
    _ plan: TakePlan, t0: SharedInstant, t1: SharedInstant?
  ) throws(CaptureError) {
    let (oldest, end) = (stream.ring.oldest, stream.ring.end)
    guard let (map, session) = timeline(),
      !cut(by: map).pays(toWaitFrom: t0, t1: t1, oldest: oldest, end: end),
      let begins = cut(by: map).beginning(
        at: t0, oldest: oldest, end: end, spare: shape.rate.frames(in: Self.opening))
    else { return }
    let opened = try TakeRecorder(
      plan: plan, t0: t0, beginning: begins, output: context.output, host: context.host,
      session: session, format: shape.waveFormat, settings: context.settings)
    if let coordinator = context.inbox.coordinator { try opened.write(.coordinator(coordinator)) }
    try opened.mark(begins.first, clock: clock, map: map)
    recorder = opened
    lastLog = context.clock.now()
    if !begins.isWhole { try noteLateness(of: opened, begins.shared - t0) }
    context.update {
      $0.firstSample = HostReport.FirstSample(
        sharedNs: begins.shared.nanoseconds, boundNs: begins.boundNanoseconds)
      $0.recordedFrames = 0
      $0.folder = opened.folder
    }
  }

  private func noteLateness(
    of opened: TakeRecorder, _ missing: Duration
  ) throws(CaptureError) {
    let text = "begins \(missing.inSeconds) s after T0: the ring did not reach back"
    try opened.mark(text: text, frame: 0)
    context.warn("the take \(text)")
  }

  /// Writes what the ring has, up to the frame nearest to T1, and closes the take there.
  private func record(until t1: SharedInstant?) throws(CaptureError) {
    guard let recorder else { return }
    var limit = stream.ring.end
    var isLast = false
    if let t1, let (map, _) = timeline(), let end = clock.index(nearest: map.host(at: t1)) {
      isLast = end <= limit
      limit = min(limit, max(end, recorder.first))
    }
    while recorder.next < limit, !stream.shallStop.load(ordering: .relaxed) {
      try copy(to: recorder, until: limit)
    }
    try keepLog(recorder)
    if isLast, let t1 {
      if let end = timeline().flatMap({ clock.index(nearest: $0.0.host(at: t1)) }),
        recorder.next > end
      {
        let frame = (end - recorder.first).value
        try recorder.mark(text: "T1: the stop was heard late; align trims here", frame: frame)
      }
      try close(t1: t1, isComplete: true)
      context.endTake()
    }
  }

  private func copy(to recorder: TakeRecorder, until limit: SampleIndex) throws(CaptureError) {
    let count = Int(min(Int64(Self.chunk), (limit - recorder.next).value))
    let isWhole = buffer.withUnsafeMutableBytes { target in
      target.baseAddress.map { stream.ring.copy(from: recorder.next, count: count, to: $0) }
        ?? false
    }
    if isWhole {
      buffer.withUnsafeBytes {
        conversion.convert($0, count: count * shape.channels, to: &packed)
      }
    } else {
      // The disk has kept us waiting for longer than the ring reaches: the oldest is gone.
      let lost = max(1, (stream.ring.oldest - recorder.next).value + Int64(Self.chunk))
      let silent = min(lost, (limit - recorder.next).value)
      context.update { $0.gaps += 1 }
      context.warn("\(silent) frames were lost: the disk was too slow; silence stands for them")
      try recorder.note(
        StreamGap(
          index: recorder.next.value, frames: silent, boundFrames: 0, cause: .notReadInTime))
      packed = [UInt8](repeating: 0, count: Int(silent) * shape.waveFormat.bytesPerFrame)
    }
    try recorder.append(packed)
  }

  private func keepLog(_ recorder: TakeRecorder) throws(CaptureError) {
    let now = context.clock.now()
    for entry in context.takeLogEntries() { try recorder.write(entry) }
    if let (map, _) = timeline() { try placeMarks(in: recorder, map: map, now: now) }
    if now - lastSync >= Self.syncInterval {
      lastSync = now
      try recorder.keepTrue()
      try noteStall(since: now, in: recorder)
    }
    if now - lastLog >= Self.logInterval, let (map, _) = timeline() {
      lastLog = now
      try noteWallStep(in: recorder)
      try recorder.mark(recorder.next - FrameCount(1), clock: clock, map: map)
    }
  }

  /// Marks whose instants have come are marks of frames.
  private func placeMarks(
    in recorder: TakeRecorder, map: ClockMap, now: HostInstant
  ) throws(CaptureError) {
    for mark in context.inbox.takeMarks(upTo: map.shared(at: now)) {
      guard let index = clock.index(nearest: map.host(at: mark.shared)) else { continue }
      try recorder.mark(
        text: mark.text, frame: (index - recorder.first).value, shared: mark.shared)
    }
  }

  /// The disk kept us waiting for longer than it should.
  private func noteStall(since: HostInstant, in recorder: TakeRecorder) throws(CaptureError) {
    let now = context.clock.now()
    guard now - since >= Self.stall else { return }
    try recorder.write(
      .stall(
        TimingLogStall(
          host: now, durationNanoseconds: (now - since).wholeNanoseconds, frame: recorder.frames)))
  }

  private func noteWallStep(in recorder: TakeRecorder) throws(CaptureError) {
    let reading = context.clock.sandwich()
    let step = wallClock.look(host: reading.host, unixNanoseconds: reading.otherNanoseconds)
    guard let step else { return }
    try recorder.write(
      .wallStep(
        TimingLogWallStep(
          host: reading.host, stepNanoseconds: step, unixNanoseconds: reading.otherNanoseconds)))
  }

  private func close(t1: SharedInstant, isComplete: Bool) throws(CaptureError) {
    guard let recorder else { return }
    try settleGap()
    if let (map, _) = timeline(), recorder.frames > 0 {
      try recorder.mark(recorder.next - FrameCount(1), clock: clock, map: map)
    }
    recorder.remark(context.inbox.remarks(of: recorder.plan.id))
    context.keep(try recorder.finish(t1: t1, isComplete: isComplete))
    for text in recorder.warnings { context.warn(text) }
    context.update { $0.recordedFrames = recorder.frames }
    self.recorder = nil
  }
}
