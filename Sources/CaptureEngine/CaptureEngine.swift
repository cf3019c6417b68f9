internal import ALSA
internal import BroadcastWave
internal import Glibc
public import HostClock
public import HostSensors
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
    /// Frames were lost, in words.
    case lost(String)
  }

  struct Running {
    let stream: CaptureStream
    let shape: CardShape
    let tenure: CardTenure
    let reader: RealtimeThread
    let worker: RealtimeThread
  }

  let input: CaptureInput
  let sensors: HostSensors
  let context: EngineContext
  let running = Mutex<Running?>(nil)

  /// Makes an engine for `input` that writes below the folder `output`.
  ///
  /// - Parameters:
  ///   - mirror: a second folder that every take is written to as well, at the same time.
  ///   - clockMap: the best map to shared time at the time of the call.
  ///   - session: the session that the map is of.
  ///   - events: called on the writer's thread.
  public init(
    input: CaptureInput, output: String, mirror: String? = nil, host: CaptureHost,
    settings: FileSettings = FileSettings(), clock: HostClock = HostClock(),
    sensors: HostSensors = HostSensors(),
    clockMap: @escaping @Sendable () -> ClockMap?, session: @escaping @Sendable () -> Session?,
    events: @escaping @Sendable (Event) -> Void
  ) {
    self.input = input
    self.sensors = sensors
    context = EngineContext(
      outputs: [output] + (mirror.map { [$0] } ?? []), input: input, host: host,
      settings: settings, clock: clock, clockMap: clockMap, session: session, events: events)
  }

  /// What the engine is doing.
  public var snapshot: CaptureSnapshot {
    var snapshot = context.snapshot
    running.withLock { running in
      snapshot.isRealtime = running?.reader.isRealtime
      snapshot.isCardGone = running?.stream.isGone.load(ordering: .relaxed) ?? false
    }
    return snapshot
  }

  /// Opens the card and fills the ring from now on. Arming again takes the new plan, counts anew,
  /// and opens a card that was gone.
  public func arm(_ plan: TakePlan) throws(CaptureError) -> ArmedReport {
    try arm(plan) { look() }
  }

  /// Arms by what was seen of the folders before: no disk is touched, which might not answer.
  public func arm(_ plan: TakePlan, in look: FolderLook) throws(CaptureError) -> ArmedReport {
    try arm(plan) { look }
  }

  private func arm(
    _ plan: TakePlan, looking look: () -> FolderLook
  ) throws(CaptureError) -> ArmedReport {
    let before = context.state
    try apply(.arm(plan))
    do {
      let room = try look().room()
      let isGone = running.withLock { $0?.stream.isGone.load(ordering: .relaxed) ?? false }
      if isGone { close(.armed(plan)) }
      let shape = try open()
      try check(room, shape)
      context.beginCounting()
      return report(shape)
    } catch {
      close(.idle)
      if before != .idle { context.warn("not armed any more: \(error)") }
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
    close(.idle)
  }

  /// Closes everything at once; a take that rolls keeps what it has, as a whole file.
  public func shutDown() {
    close(.idle)
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

// What arming makes sure of.
extension CaptureEngine {
  /// Makes the output folders where they are missing, and sees how much room their disks have: as
  /// long as these take.
  public func look() -> FolderLook { FolderLook(of: context.outputs) }

  private func check(
    _ room: [FolderLook.Folder], _ shape: CardShape
  ) throws(CaptureError) {
    let bytesPerSecond = shape.waveFormat.bytesPerFrame * shape.rate.hertz
    let frames = shape.rate.frames(in: input.leastRoom).value
    let needed =
      frames * Int64(shape.waveFormat.bytesPerFrame)
      + DiskRoom(bytesPerSecond: bytesPerSecond).floor
    for folder in room {
      guard let free = folder.freeBytes, free < needed else { continue }
      throw .diskFull(path: folder.path, freeBytes: free, neededBytes: needed)
    }
  }

  private func report(_ shape: CardShape) -> ArmedReport {
    ArmedReport(
      input: shape.description, ringBytes: context.snapshot.ringBytes ?? 0, reach: input.preRoll)
  }
}
