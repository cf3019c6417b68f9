internal import CaptureEngine
internal import Control
internal import EventLoop
internal import FileIO
internal import HostClock
internal import PeerClock
internal import PeerCore
internal import Recording
internal import Systemd
internal import Units

/// A host of the fleet: it obeys orders, its own user's and other hosts', and says how it is.
///
/// Everything that decides is below: the engine's state machine, the clock's node. What is here
/// carries words to and fro.
actor DaemonService {
  /// How long a host may take to answer before it counts as missing.
  static let patience = Duration.seconds(3)
  /// After what time an order that did not get through is void.
  static let expiry = Duration.seconds(30)
  /// The most used-up takes that are remembered.
  static let mostSpent = 256
  /// How long closing a take's files may last.
  static let closingPatience = Duration.seconds(15)
  /// How long the end of the daemon waits for a disk: whoever told it to end kills it after 15 s.
  static let endPatience = Duration.seconds(10)
  /// The most orders whose answers are awaited at once.
  static let mostRollCalls = 64

  private let loop: EventLoop
  let options: DaemonOptions
  let label: String
  let clock: PeerClock
  /// This host's own id; known once the clock has started.
  var me = PeerID(high: 0, low: 0)
  let hostClock = HostClock()
  /// What is done with disks and sensors, beside this thread.
  let disks: Disks
  var engine: CaptureEngine?
  var counter: TakeCounter
  /// What the session has agreed on, as this host knows it; see ``currentBook()``.
  var book: SessionBook?
  var rollCalls: [UInt64: RollCall] = [:]
  /// Whether an order is being done that changes what the card does, and what waits for that.
  var isTurnTaken = false
  var turns: [CheckedContinuation<Void, Never>] = []
  /// What other hosts last said of themselves, and when, in this host's time.
  var reports: [PeerID: (report: HostReport, heard: HostInstant)] = [:]
  var connected: [PeerID: ConnectionEvent.State] = [:]
  /// Since when those are not heard that are lost.
  var lostSince: [PeerID: HostInstant] = [:]
  /// Those that this host was told to forget.
  var forgotten = ForgottenHosts()
  /// What every peer calls itself.
  var labels: [PeerID: String] = [:]
  /// Takes that have begun somewhere: the next one gets another id.
  private(set) var spent: [TakeID] = []
  /// Takes that this host has had its part of.
  var left: [TakeID] = []
  /// What is known of the latest takes.
  var takes: [TakeID: TakeState] = [:]
  /// Which alerts hold here, and what was measured last for them: the figures that are reported are
  /// those that the alerts speak of.
  var health: HealthWatch
  var measured: HealthReading?
  /// What has happened on all hosts.
  var eventBook: EventBook
  let eventFile: EventFile
  /// What was lost last, in words.
  var lastGap: String?
  /// Hosts that have said that they leave.
  var hasLeft: Set<PeerID> = []
  /// What an earlier run left that had not been told to end.
  let leftRun: RunFile?
  let startedAt: HostInstant
  /// The take that an earlier run was recording, until it is gone on with.
  var pendingTake: RunFile.Take?
  private(set) var isStopped = false
  /// What was last kept for a daemon that comes after this one.
  var keptRun: RunFile?
  var labelFile: LabelFile
  /// What it was called before, the newest first.
  var formerLabels: [String] = []
  /// How the pulling of files stands, and where each comes from.
  var pulling: PullReport?
  var pullSources: [PullSource] = []
  var pullTask: Task<Void, Never>?
  /// Pieces of files that are on their way, by the number of the asking.
  var pieces: [UInt64: FilePiece] = [:]
  /// Keeps the host awake.
  var inhibitor: SleepInhibitor?
  var isKeptAwake = false
  /// How often whoever started the daemon as a service must hear of it.
  let watchdog = ServiceManager.watchdog()
  let manager = SideLine(name: "manager")
  /// What it was told last.
  var toldStatus = ""
  private var lastOrder: UInt64
  /// What Avahi tells of other hosts, where it is there.
  var neighbours: Neighbours?
  var tasks: [Task<Void, Never>] = []

  /// Opening and closing a card may block: the service has a thread of its own for it, `loop`'s.
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(options: DaemonOptions, label: String, clock: PeerClock, loop: EventLoop) {
    self.loop = loop
    self.options = options
    self.label = label
    self.clock = clock
    counter = TakeCounter(directory: options.stateDirectory)
    book = BookFile.load(from: options.stateDirectory)
    lastOrder = .random(in: 0..<1 << 62)
    health = HealthWatch(limits: HealthLimits(syncBound: options.syncLimit))
    leftRun = RunFile.left(in: options.stateDirectory)
    startedAt = hostClock.now()
    pendingTake = leftRun?.take
    labelFile = LabelFile.load(from: options.stateDirectory)
    disks = Disks(
      outputs: [options.output] + (options.mirror.map { [$0] } ?? []),
      state: options.stateDirectory)
    eventFile = EventFile(directory: options.stateDirectory, line: disks.state)
    eventBook = EventBook(eventFile.load())
    disks.look()
  }

  /// Starts the clock, the engine and what listens to them.
  func start() async throws {
    try await clock.start()
    me = clock.localPeer ?? me
    if let input = options.input { engine = makeEngine(input: input) }
    startNeighbours()
    tasks.append(Task { await listenToCommands() })
    tasks.append(Task { await listenToStatus() })
    tasks.append(Task { await listenToTakes() })
    tasks.append(Task { await listenToConnections() })
    tasks.append(Task { await listenToPeers() })
    tasks.append(Task { await listenToExchanges() })
    tasks.append(Task { await listenToChanges() })
    tasks.append(Task { await reportRegularly() })
    keepRun()
    noteLabel()
    if options.input != nil { recoverInterrupted(of: me) }
    tasks.append(Task { await resume() })
  }

  /// Ends everything; a take that rolls is closed with what it has.
  func stop() async {
    isStopped = true
    for task in tasks { task.cancel() }
    pullTask?.cancel()
    tasks = []
    await neighbours?.stop()
    await shutDownEngine()
    await leave()
    let directory = options.stateDirectory
    _ = await disks.state.value(within: .seconds(1)) { RunFile.remove(from: directory) }
    // The state directory is free afterwards, for the next.
    await clock.finish()
  }

  /// Closes the card, and a take that rolls with what it has; one whose disk does not answer is left
  /// as it is, for the next recovery.
  func shutDownEngine() async {
    guard let engine else { return }
    let isClosed: Void? = await SideLine(name: "closing").value(within: Self.endPatience) {
      engine.shutDown()
    }
    guard isClosed == nil else { return }
    say(
      "the take's files could not be closed: "
        + DiskSilence(folder: options.output, patience: Self.endPatience).description
        + "; what is there is made whole at the next start")
  }

  /// Whether the card is closed.
  var isIdle: Bool { engine.map { $0.snapshot.state == .idle } ?? true }

  func makeEngine(input: String) -> CaptureEngine {
    let clock = clock
    var card = CaptureInput(
      name: input, rate: options.sampleRate, channels: options.channels, preRoll: options.preRoll)
    card.tracks = options.tracks
    card.keepsPreRoll = options.keepsPreRoll
    card.postRoll = options.postRoll
    return CaptureEngine(
      input: card, output: options.output, mirror: options.mirror,
      host: CaptureHost(
        peer: me, label: label, software: RecorderDaemon.software,
        bootID: BootID.current() ?? ""),
      settings: options.files,
      clockMap: { clock.map }, session: { clock.session },
      events: { [weak self] event in
        Task { await self?.heard(event) }
      })
  }

  private func heard(_ event: CaptureEngine.Event) async {
    switch event {
    case .began(let plan):
      spend(plan)
      logWhatHolds()
      say("take \(plan.name) T\(plan.number) is rolling")
      await note(.take, .info, "take \(plan.name) T\(plan.number) is rolling")
    case .ended(let plan):
      leave(plan.id)
      say("take \(plan.name) T\(plan.number) is closed")
      await note(.take, .info, "take \(plan.name) T\(plan.number) is closed")
    case .failed(let plan):
      leave(plan.id)
      await note(
        .takeFailed, .critical, "take \(plan.name) T\(plan.number) could not go on",
        next: "look at its folder and its disk; the other hosts go on")
    case .warning(let text):
      say("warning: \(text)")
      await note(.capture, .warning, text)
    case .lost(let text): lastGap = text.split(separator: ";").first.map(String.init)
    }
    keepRun()
    await watchHealth()
    await publishReport()
  }

  /// Takes note that a take has begun, here or elsewhere.
  func spend(_ plan: TakePlan) {
    guard !spent.contains(plan.id) else { return }
    spent = spent.suffix(Self.mostSpent - 1) + [plan.id]
    guard let session = clock.session?.id else { return }
    guard counter.note(plan.number, session: session) else { return }
    let (counter, directory) = (counter, options.stateDirectory)
    disks.state.add("takes") { counter.save(in: directory) }
  }

  nonisolated func say(_ text: String) { Diagnostics.say(text) }

  /// The number of the next order.
  func newOrderNumber() -> UInt64 {
    lastOrder += 1
    return lastOrder
  }
}
