internal import ALSA
internal import BroadcastWave
internal import Glibc
public import HostClock
internal import Realtime
public import Recording
internal import Synchronization
public import Units

/// Captures a card into a ring, and cuts takes from it.
///
/// Two threads do the work: one reads the card, one writes the files. Calls come from any thread;
/// ``arm(_:)`` and ``disarm()`` open and close the card and may take some hundred milliseconds.
public final class CaptureEngine: Sendable {
  /// What happens without being asked for.
  public enum Event: Hashable, Sendable {
    /// The take's first frame has been captured: it rolls.
    case began(TakePlan)
    /// The take is whole: files closed and named.
    case ended(TakePlan)
    /// The take could not be recorded to its end.
    case failed(TakePlan)
    case warning(String)
  }

  private struct Running {
    let stream: CaptureStream
    let reader: RealtimeThread
    let writer: RealtimeThread
  }

  private let input: CaptureInput
  private let context: EngineContext
  private let running = Mutex<Running?>(nil)

  /// Makes an engine for `input` that writes below the folder `output`.
  ///
  /// - Parameters:
  ///   - clockMap: the best map to shared time at the time of the call.
  ///   - session: the session that the map is of.
  ///   - events: called on the writer's thread.
  public init(
    input: CaptureInput, output: String, host: CaptureHost, settings: FileSettings = FileSettings(),
    clock: HostClock = HostClock(),
    clockMap: @escaping @Sendable () -> ClockMap?, session: @escaping @Sendable () -> Session?,
    events: @escaping @Sendable (Event) -> Void
  ) {
    self.input = input
    context = EngineContext(
      output: output, host: host, settings: settings, clock: clock, clockMap: clockMap,
      session: session, events: events)
  }

  /// What the engine is doing.
  public var snapshot: CaptureSnapshot {
    var snapshot = context.snapshot
    snapshot.isRealtime = running.withLock { $0?.reader.isRealtime }
    return snapshot
  }

  /// Opens the card and fills the ring from now on; arming again only changes the take.
  public func arm(_ plan: TakePlan) throws(CaptureError) -> ArmedReport {
    let before = context.state
    try apply(.arm(plan))
    do {
      try OutputFile.makeFolders(context.output)
      let shape = try open()
      try checkDisk(shape)
      return report(shape)
    } catch {
      if before == .idle {
        close()
        _ = try? context.apply(.disarm)
      }
      throw error
    }
  }

  /// Begins the take at `t0`, which may lie in the past as far as the ring reaches.
  public func start(at t0: SharedInstant) throws(CaptureError) -> StartReport {
    guard let map = context.clockMap() else {
      try check(.start(t0: t0))
      throw .unsynced
    }
    try apply(.start(t0: t0))
    let late = map.shared(at: context.clock.now()) - t0
    let reach = running.withLock { running in
      running.map { input.rate.duration(of: $0.stream.ring.end - $0.stream.ring.oldest) }
    }
    return StartReport(
      late: late > .zero ? late : nil, isCovered: late <= reach ?? .zero)
  }

  /// Ends the take at `t1`.
  public func stop(at t1: SharedInstant) throws(CaptureError) { try apply(.stop(t1: t1)) }

  /// Closes the card. A take that rolls must be stopped first.
  public func disarm() throws(CaptureError) {
    try apply(.disarm)
    close()
  }

  /// Closes everything at once; a take that rolls keeps what it has, as a whole file.
  public func shutDown() {
    close()
    context.waitForClosings()
  }

  /// Puts an entry into the timing log of the take that rolls, if one does.
  public func log(_ entry: TimingLogEntry) { context.log(entry) }

  /// Whether the command has a place now.
  private func check(_ command: HostState.Command) throws(CaptureError) {
    do {
      _ = try context.state.after(command)
    } catch {
      throw .state(error)
    }
  }

  private func apply(_ command: HostState.Command) throws(CaptureError) {
    do {
      _ = try context.apply(command)
    } catch {
      throw .state(error)
    }
  }
}

// Opening and closing.
extension CaptureEngine {
  private func open() throws(CaptureError) -> CardShape {
    if let shape = context.snapshot.input.flatMap(shape(of:)) { return shape }
    let card: PCMCapture
    do {
      card = try PCMCapture(
        opening: input.pcm, rate: input.rate, channels: input.channels, clock: context.clock)
    } catch {
      throw .card(error)
    }
    let shape = CardShape(
      pcm: input.pcm, format: card.format, rate: card.rate, channels: card.channels,
      significantBits: card.significantBits, encoding: context.settings.encoding)
    let frames = shape.rate.frames(in: input.preRoll + CaptureInput.reserve).value
    try checkMemory(bytes: frames * Int64(shape.bytesPerFrame))
    do {
      try card.start()
    } catch {
      throw .card(error)
    }
    let ring = FrameRing(capacity: Int(frames), bytesPerFrame: shape.bytesPerFrame)
    let stream = CaptureStream(ring: ring, rate: shape.rate)
    start(stream, card: card, shape: shape)
    context.update { snapshot in
      snapshot = CaptureSnapshot(keeping: snapshot.state)
      snapshot.input = shape.description
      snapshot.ringBytes = Int64(ring.byteCount)
      snapshot.bytesPerSecond = Int64(shape.waveFormat.bytesPerFrame * shape.rate.hertz)
    }
    return shape
  }

  private func shape(of input: HostReport.Input) -> CardShape? {
    guard running.withLock({ $0 != nil }) else { return nil }
    return CardShape(
      pcm: input.pcm, format: .s32, rate: SampleRate(hertz: input.sampleRateHertz),
      channels: input.channels, significantBits: input.bits, encoding: context.settings.encoding)
  }

  private func start(_ stream: CaptureStream, card: consuming PCMCapture, shape: CardShape) {
    let loop = CaptureLoop(card: card, stream: stream, clock: context.clock)
    let box = Mutex<CaptureLoop?>(loop)
    let holder = LoopHolder(box)
    let reader = RealtimeThread(name: "capture", priority: 50) { holder.run() }
    let context = context
    let writer = RealtimeThread(name: "writer") {
      EngineWorker(context: context, stream: stream, shape: shape).run()
    }
    running.withLock { $0 = Running(stream: stream, reader: reader, writer: writer) }
  }

  private func close() {
    let ended = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let ended else { return }
    ended.stream.shallStop.store(true, ordering: .relaxed)
    ended.reader.join()
    ended.writer.join()
    context.update { $0 = CaptureSnapshot(keeping: .idle) }
  }

  /// Half of the free memory is the most that a ring may have.
  private func checkMemory(bytes: Int64) throws(CaptureError) {
    let pages = Int64(sysconf(Int32(_SC_AVPHYS_PAGES)))
    let free = pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    guard free <= 0 || bytes <= free / 2 else {
      throw .memory(ringBytes: bytes, freeBytes: free)
    }
  }

  private func checkDisk(_ shape: CardShape) throws(CaptureError) {
    let frames = shape.rate.frames(in: input.leastRoom).value
    let needed = frames * Int64(shape.waveFormat.bytesPerFrame)
    guard let free = OutputFile.freeBytes(at: context.output), free < needed else { return }
    throw .diskFull(path: context.output, freeBytes: free, neededBytes: needed)
  }

  private func report(_ shape: CardShape) -> ArmedReport {
    ArmedReport(
      input: shape.description, ringBytes: context.snapshot.ringBytes ?? 0, reach: input.preRoll)
  }
}

/// Hands a capture loop, which cannot be copied, over to its thread.
private final class LoopHolder: Sendable {
  private let loop: Mutex<CaptureLoop?>

  init(_ loop: consuming Mutex<CaptureLoop?>) { self.loop = loop }

  func run() {
    let taken = loop.withLock { loop in
      loop.take()
    }
    guard let taken else { return }
    taken.run()
  }
}

extension CaptureSnapshot {
  init(keeping state: HostState) {
    self.init()
    self.state = state
  }
}
