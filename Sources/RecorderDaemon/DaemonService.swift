internal import CaptureEngine
internal import Control
internal import EventLoop
internal import HostClock
internal import HostSensors
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
  /// The most orders whose answers are awaited at once.
  static let mostRollCalls = 64

  private let loop: EventLoop
  let options: DaemonOptions
  let label: String
  let clock: PeerClock
  /// This host's own id; known once the clock has started.
  private(set) var me = PeerID(high: 0, low: 0)
  let hostClock = HostClock()
  let sensors = HostSensors()
  var engine: CaptureEngine?
  var counter: TakeCounter
  /// What the session has agreed on, as this host knows it; see ``currentBook()``.
  var book: SessionBook?
  var rollCalls: [UInt64: RollCall] = [:]
  /// What other hosts last said of themselves, and when, in this host's time.
  var reports: [PeerID: (report: HostReport, heard: HostInstant)] = [:]
  var connected: [PeerID: ConnectionEvent.State] = [:]
  /// What every peer calls itself.
  var labels: [PeerID: String] = [:]
  /// Takes that have begun somewhere: the next one gets another id.
  private(set) var spent: [TakeID] = []
  /// Takes that this host has had its part of.
  var left: [TakeID] = []
  /// What is known of the latest takes.
  var takes: [TakeID: TakeState] = [:]
  /// Which alerts hold here.
  var health: HealthWatch
  /// What has happened on all hosts.
  var eventBook: EventBook
  var eventFile: EventFile
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
    var file = EventFile(directory: options.stateDirectory)
    eventBook = EventBook(file.load())
    eventFile = file
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
    engine?.shutDown()
    await leave()
    RunFile.remove(from: options.stateDirectory)
    // The state directory is free afterwards, for the next.
    await clock.finish()
  }

  /// Whether the card is closed.
  var isIdle: Bool { engine.map { $0.snapshot.state == .idle } ?? true }

  private func makeEngine(input: String) -> CaptureEngine {
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
  private func spend(_ plan: TakePlan) {
    guard !spent.contains(plan.id) else { return }
    spent = spent.suffix(Self.mostSpent - 1) + [plan.id]
    guard let session = clock.session?.id else { return }
    counter.note(plan.number, session: session, directory: options.stateDirectory)
  }

  nonisolated func say(_ text: String) { Diagnostics.say(text) }

  /// The number of the next order.
  func newOrderNumber() -> UInt64 {
    lastOrder += 1
    return lastOrder
  }
}

// What comes from elsewhere.
extension DaemonService {
  private func listenToCommands() async {
    for await (sender, command) in clock.commands {
      switch command.type {
      case FleetOrder.type:
        guard let order = FleetCoding.decode(FleetOrder.self, from: command.payload) else {
          continue
        }
        // Closing a take may last; the next order must not wait for it.
        Task {
          let answer = await carryOut(order)
          await reply(FleetAnswer(number: order.number, answer: answer), to: sender)
        }
      case FleetAnswer.type:
        guard let answer = FleetCoding.decode(FleetAnswer.self, from: command.payload) else {
          continue
        }
        rollCalls[answer.number]?.take(answer.answer, from: sender)
        reports[sender]?.report.state = answer.answer.state
      case Self.eventType: hear(command.payload, from: sender)
      case FilePiece.type: take(command.payload)
      case FileFetch.type:
        // Disks may be slow; the next order must not wait for them.
        Task { await serve(command.payload, to: sender) }
      default: continue
      }
    }
  }

  private func reply(_ answer: FleetAnswer, to peer: PeerID) async {
    do {
      try await clock.send(
        Command(type: FleetAnswer.type, payload: FleetCoding.encode(answer)), to: peer)
    } catch {
      say("could not answer \(peer.short): \(error)")
    }
  }

  private func listenToStatus() async {
    for await status in clock.statusUpdates {
      guard let value = status.entries[HostStatusKey.report],
        let report = FleetCoding.decode(HostReport.self, from: value)
      else { continue }
      reports[status.peer] = (report, hostClock.now())
      if let theirs = report.book { changeBook { $0.learn(theirs) } }
      if let take = report.take, report.state == "rolling" { spend(take) }
    }
  }

  private func listenToConnections() async {
    for await event in clock.connectionEvents {
      if connected[event.peer] != event.state {
        say("\(name(of: event.peer)) is \(event.state.rawValue)")
      }
      if event.state == .connected { hasLeft.remove(event.peer) }
      connected[event.peer] = event.state
      await watchHealth()
    }
  }

  private func listenToPeers() async {
    for await peers in clock.peers {
      for peer in peers { labels[peer.id] = peer.label }
    }
  }

  func name(of peer: PeerID) -> String {
    // A peer that is barely known has no label yet.
    let told = [labels[peer], reports[peer]?.report.label].compactMap(\.self)
    return told.first { !$0.isEmpty } ?? peer.short
  }

  private func listenToExchanges() async {
    for await record in clock.exchanges {
      let exchange = record.exchange
      engine?.log(
        .exchange(
          TimingLogExchange(
            t1: exchange.t1, t2: exchange.t2, t3: exchange.t3, t4: exchange.t4,
            receiveKind: exchange.receiveKind.word, transmitKind: exchange.transmitKind.word,
            coordinator: record.coordinator)))
    }
  }

  private func listenToChanges() async {
    for await change in clock.changes {
      let now = hostClock.now()
      switch change {
      case .coordinator(let peer?):
        say("the reference is \(peer == me ? "this host" : name(of: peer))")
        engine?.log(.coordinator(TimingLogCoordinator(host: now, coordinator: peer)))
      case .coordinator(nil): say("no reference is heard: holding over")
      case .session(let session, let generation):
        await publishReport()
        say("session \(session.id.short), clock generation \(generation)")
        engine?.log(
          .generation(
            TimingLogGeneration(
              host: now, generation: generation, reason: "session \(session.id.short)")))
      case .identity(let peer, let former):
        adoptIdentity(peer)
        await note(
          .twin, .warning,
          "another host lived under this host's id \(former.short): this one is "
            + "\(peer.short) from now on",
          next: "leave peerclock.json out of disk images (docs: a state directory that was copied)")
      case .compared(let link): compare(link)
      case .note(let text): say(text)
      }
    }
  }

  private func compare(_ link: SessionLink) {
    say(link.description)
    engine?.log(
      .sessionLink(
        TimingLogSessionLink(
          host: link.host, session: link.from, shared: link.fromInstant, otherSession: link.to,
          otherShared: link.toInstant, skewPartsPerMillion: link.skew.partsPerMillion,
          boundNanoseconds: link.boundNanoseconds)))
  }

  /// Only while idle does the clock take another id: the engine, which names files by it, has
  /// nothing open.
  private func adoptIdentity(_ peer: PeerID) {
    me = peer
    engine?.shutDown()
    engine = options.input.map { makeEngine(input: $0) }
  }

  private func reportRegularly() async {
    while !Task.isCancelled {
      await noteEndIfNear()
      await watchHealth()
      keepRun()
      await stayAwake()
      tellServiceManager()
      await publishReport()
      do {
        let isBusy = engine.map { $0.snapshot.state != .idle } ?? false
        try await Task.sleep(for: .milliseconds(isBusy ? 500 : 1000))
      } catch {
        return
      }
    }
  }
}
