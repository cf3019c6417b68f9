internal import HostClock
internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

/// What the engine's callers and its threads share: states in, snapshots out.
final class EngineContext: Sendable {
  /// The most warnings that are kept: the newest.
  static let mostWarnings = 20
  /// The most entries that wait for the log.
  static let mostLogEntries = 4096

  private struct Shared {
    var snapshot = CaptureSnapshot()
    var entries: [TimingLogEntry] = []
    var closings: [TakeClosing] = []
    var armings = 0
  }

  /// The folders that takes go to: the first, and its mirror.
  let outputs: [String]
  let input: CaptureInput
  let host: CaptureHost
  let settings: FileSettings
  /// What people say of takes, on its way to the files.
  let inbox = TakeInbox()
  /// Rung where the engine's thread has something to do at once.
  let bell = Doorbell()
  let clock: HostClock
  let clockMap: @Sendable () -> ClockMap?
  let session: @Sendable () -> Session?
  private let events: @Sendable (CaptureEngine.Event) -> Void
  private let shared = Mutex(Shared())

  init(
    outputs: [String], input: CaptureInput, host: CaptureHost, settings: FileSettings,
    clock: HostClock,
    clockMap: @escaping @Sendable () -> ClockMap?, session: @escaping @Sendable () -> Session?,
    events: @escaping @Sendable (CaptureEngine.Event) -> Void
  ) {
    self.outputs = outputs
    self.input = input
    self.host = host
    self.settings = settings
    self.clock = clock
    self.clockMap = clockMap
    self.session = session
    self.events = events
  }

  var tracks: [Track] { input.tracks }

  var snapshot: CaptureSnapshot { shared.withLock { $0.snapshot } }

  var state: HostState { shared.withLock { $0.snapshot.state } }

  func update(_ change: (inout CaptureSnapshot) -> Void) {
    shared.withLock { change(&$0.snapshot) }
  }

  /// How often the card has been armed: the meters' latches are let go each time.
  var armings: Int { shared.withLock { $0.armings } }

  /// The card is armed anew: what was counted before counts no more.
  func beginCounting() {
    shared.withLock { shared in
      shared.armings += 1
      shared.snapshot.clipped = 0
      shared.snapshot.gaps = 0
      shared.snapshot.warnings = []
    }
  }

  /// Carries a command out on the state alone.
  func apply(_ command: HostState.Command) throws(HostState.Refusal) -> HostState {
    let result = shared.withLock { shared -> Result<HostState, HostState.Refusal> in
      do throws(HostState.Refusal) {
        let after = try shared.snapshot.state.after(command)
        shared.snapshot.state = after
        return .success(after)
      } catch {
        return .failure(error)
      }
    }
    defer { bell.ring() }
    return try result.get()
  }

  /// The take has its first frame: unless it was stopped meanwhile, it rolls.
  func begin(_ plan: TakePlan, t0: SharedInstant) {
    shared.withLock { shared in
      if case .scheduled(_, _, let t1) = shared.snapshot.state {
        shared.snapshot.state = .rolling(plan, t0: t0, t1: t1)
        // What is known of the take before is not this one's.
        shared.snapshot.firstSample = nil
        shared.snapshot.recordedFrames = 0
      }
    }
    events(.began(plan))
  }

  /// The take is complete: the host is armed as before.
  func endTake() {
    let plan = rearm()
    if let plan { events(.ended(plan)) }
  }

  /// The take could not go on.
  func abandonTake() {
    let plan = rearm()
    if let plan { events(.failed(plan)) }
  }

  private func rearm() -> TakePlan? {
    shared.withLock { shared in
      guard let plan = shared.snapshot.state.plan else { return nil }
      shared.snapshot.state = .armed(plan)
      return plan
    }
  }

  func warn(_ text: String) {
    keepWarning(text)
    events(.warning(text))
  }

  /// Frames were lost.
  func warn(ofLoss text: String) {
    keepWarning(text)
    events(.lost(text))
  }

  private func keepWarning(_ text: String) {
    shared.withLock { shared in
      guard shared.snapshot.warnings.last != text else { return }
      shared.snapshot.warnings.append(text)
      shared.snapshot.warnings = shared.snapshot.warnings.suffix(Self.mostWarnings)
    }
  }

  /// Puts an entry where the writer finds it, while a take rolls.
  func log(_ entry: TimingLogEntry) {
    if case .coordinator(let coordinator) = entry { inbox.note(coordinator) }
    shared.withLock { shared in
      guard case .rolling = shared.snapshot.state, shared.entries.count < Self.mostLogEntries
      else { return }
      shared.entries.append(entry)
    }
  }

  /// Keeps what is still done for a take that is closed; the two before it are waited for.
  func keep(_ closing: TakeClosing) {
    closing.listen { [weak self] in self?.warn($0) }
    let older = shared.withLock { shared in
      shared.closings.append(closing)
      defer { shared.closings = shared.closings.suffix(2) }
      return shared.closings.dropLast(2)
    }
    for closing in older { closing.wait() }
  }

  /// Waits until nothing more is done for takes that are closed.
  func waitForClosings() {
    for closing in shared.withLock({ $0.closings }) { closing.wait() }
  }

  func takeLogEntries() -> [TimingLogEntry] {
    shared.withLock { shared in
      defer { shared.entries = [] }
      return shared.entries
    }
  }
}
