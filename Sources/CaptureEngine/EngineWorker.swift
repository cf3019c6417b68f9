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

  private let context: EngineContext
  private let stream: CaptureStream
  private let conversion: SampleConversion
  private let shape: CardShape
  private var clock: SampleClock
  private var recorder: TakeRecorder?
  private var buffer: [UInt8]
  private var packed: [UInt8] = []
  private var metered: SampleIndex
  private var lastSync: HostInstant
  private var lastLog: HostInstant

  init(context: EngineContext, stream: CaptureStream, shape: CardShape) {
    self.context = context
    self.stream = stream
    self.shape = shape
    conversion = SampleConversion(format: shape.format)
    let now = context.clock.now()
    clock = SampleClock(rate: shape.rate, started: now)
    buffer = [UInt8](repeating: 0, count: Self.chunk * shape.bytesPerFrame)
    metered = SampleIndex(0)
    lastSync = now
    lastLog = now
  }

  /// Runs until the engine is disarmed.
  func run() {
    while !stream.shallStop.load(ordering: .relaxed) {
      turn()
      usleep(10_000)
    }
    guard recorder != nil else { return }
    // Disarmed in the middle of a take: what is there is kept whole.
    attempt { worker throws(CaptureError) in
      try worker.close(t1: worker.sharedNow() ?? .sessionStart, isComplete: false)
    }
  }

  private func turn() {
    drainStamps()
    meter()
    attempt { worker throws(CaptureError) in
      try worker.drainGaps()
      switch worker.context.state {
      case .scheduled(let plan, let t0): try worker.beginIfDue(plan, t0: t0)
      case .rolling(let plan, let t0, let t1):
        if worker.recorder == nil { try worker.beginIfDue(plan, t0: t0) }
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
      context.update { $0.gaps += 1 }
      context.warn("\(gap.frames) frames were lost (\(gap.cause.word)); silence stands for them")
      try recorder?.note(gap)
    }
  }

  /// The map and the session, where both are known and are of one another.
  private func timeline() -> (ClockMap, Session)? {
    guard let map = context.clockMap(), let session = context.session(),
      map.session == session.id
    else { return nil }
    return (map, session)
  }

  private func sharedNow() -> SharedInstant? {
    timeline().map { map, _ in map.shared(at: context.clock.now()) }
  }

  /// Opens the take's files as soon as the frame nearest to T0 is in the ring.
  private func beginIfDue(_ plan: TakePlan, t0: SharedInstant) throws(CaptureError) {
    guard let (map, session) = timeline(),
      let wanted = clock.index(nearest: map.host(at: t0)), wanted < stream.ring.end
    else { return }
    // The oldest frames may be overwritten while the files are being opened.
    let safe = stream.ring.oldest + shape.rate.frames(in: .milliseconds(200))
    let isWhole = wanted >= SampleIndex(0) && (wanted >= safe || stream.ring.oldest.value == 0)
    let first = isWhole ? wanted : max(safe, SampleIndex(0))
    guard let host = clock.host(of: first) else { return }
    let shared = map.shared(at: host)
    let opened = try TakeRecorder(
      plan: plan, t0: t0, first: first, firstShared: shared, begins: isWhole ? t0 : shared,
      output: context.output, host: context.host, session: session, format: shape.waveFormat)
    try opened.mark(first, clock: clock, map: map)
    recorder = opened
    if !isWhole {
      let missing = (shared - t0).inSeconds
      try opened.mark(text: "begins \(missing) s after T0: the ring did not reach back", frame: 0)
      context.warn("the take begins \(missing) s late here: the ring did not reach back to T0")
    }
    lastLog = context.clock.now()
    let bound = map.boundNanoseconds(at: host) + (clock.line?.boundNanoseconds ?? 0)
    context.update {
      $0.firstSample = HostReport.FirstSample(sharedNs: shared.nanoseconds, boundNs: bound)
      $0.recordedFrames = 0
    }
    context.begin(plan, t0: t0)
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
      packed = [UInt8](repeating: 0, count: Int(silent) * shape.channels * 3)
    }
    try recorder.append(packed)
  }

  private func keepLog(_ recorder: TakeRecorder) throws(CaptureError) {
    let now = context.clock.now()
    for entry in context.takeLogEntries() { try recorder.write(entry) }
    if now - lastSync >= Self.syncInterval {
      lastSync = now
      try recorder.keepTrue()
    }
    if now - lastLog >= Self.logInterval, let (map, _) = timeline() {
      lastLog = now
      try recorder.mark(recorder.next - FrameCount(1), clock: clock, map: map)
    }
  }

  private func close(t1: SharedInstant, isComplete: Bool) throws(CaptureError) {
    guard let recorder else { return }
    if let (map, _) = timeline(), recorder.frames > 0 {
      try recorder.mark(recorder.next - FrameCount(1), clock: clock, map: map)
    }
    try recorder.finish(t1: t1, isComplete: isComplete)
    context.update { $0.recordedFrames = recorder.frames }
    self.recorder = nil
  }

  /// Levels of each tenth of a second, from the ring's newest frames.
  private func meter() {
    let window = Int64(shape.rate.hertz / 10)
    let end = stream.ring.end
    guard (end - metered).value >= window else { return }
    metered = end
    let count = Int(min(window, Int64(Self.chunk)))
    let isWhole = buffer.withUnsafeMutableBytes { target in
      target.baseAddress.map {
        stream.ring.copy(from: end - FrameCount(Int64(count)), count: count, to: $0)
      } ?? false
    }
    guard isWhole else { return }
    var meters = [LevelMeter](repeating: LevelMeter(), count: shape.channels)
    buffer.withUnsafeBytes { source in
      for frame in 0..<count {
        for channel in 0..<shape.channels {
          meters[channel].add(
            conversion.value(source, sample: frame * shape.channels + channel))
        }
      }
    }
    context.update { snapshot in
      snapshot.levels = HostReport.Levels(
        peak: meters.map { Self.decibels($0.peak) }, rms: meters.map { Self.decibels($0.rms) })
      snapshot.clipped += meters.map(\.clipped).reduce(0, +)
    }
  }

  private static func decibels(_ value: Float) -> Double? {
    value > 0 ? (20 * log10(Double(value)) * 10).rounded() / 10 : nil
  }
}
