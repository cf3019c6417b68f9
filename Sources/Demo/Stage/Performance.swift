internal import AcousticScene
internal import Control
internal import FoundationEssentials
internal import HostClock
internal import Recording
internal import TakeAlignment
internal import Units

/// A demo from the first daemon's start to the last figure.
struct Performance {
  /// What came of it.
  struct Result {
    let figures: Figures
    /// The folder of the take.
    let folder: String
  }

  /// How long a fleet may take to agree on time before the demo gives up, in seconds.
  private static let patience = 20.0
  /// The scene's length: odd, so that its rounds never fall in with whole takes.
  private static let sceneSeconds = 17

  let options: DemoOptions
  let program: Program
  let workplace: Workplace
  let interruption: Interruption

  /// Starts a fleet, records a take with it, aligns that and judges it.
  func perform() throws -> Result {
    let output = try folder(options.output)
    let scene = Scene(seed: options.seed, seconds: Self.sceneSeconds)
    let scenePath = try workplace.write(scene.bytes, to: "scene.f32")
    let now = HostClock().now().nanoseconds
    let plan = StagePlan(
      seed: options.seed, count: options.hosts, origin: TrueInstant(nanoseconds: now))
    let tool = CommandLineTool(
      program: program.path, log: workplace.path("commands.log"), interruption: interruption)
    let fleet = Fleet(plan: plan, workplace: workplace, tool: tool)
    defer { fleet.stop() }
    Output.talk("Starting \(options.hosts) hosts, each with a card and a clock of its own …")
    try fleet.start(program: program, scenePath: scenePath, output: output)
    let settled = try settle(fleet, plan: plan)
    let recorder = TakeSession(
      fleet: fleet, tool: tool, interruption: interruption, seconds: options.seconds)
    Output.talk("In sync. Recording \(options.seconds) s …")
    let take = try recorder.record()
    fleet.stop()
    Output.talk("Aligning …")
    let aligned = try recorder.align(take.folder, report: workplace.path("align.json"))
    Output.talk("Listening to what came of it …")
    let evidence = try take.evidence(
      plan: plan, aligned: aligned, coordinator: settled.coordinator,
      settledSeconds: settled.seconds)
    let budgets = Budgets(hosts: options.hosts, seconds: options.seconds)
    let judge = TakeJudge(plan: plan, scene: scene, budgets: budgets)
    return Result(figures: judge.figures(of: evidence), folder: take.folder)
  }

  /// Waits until every host has shared time, of one coordinator, and is truly within budget.
  private func settle(
    _ fleet: Fleet, plan: StagePlan
  ) throws(DemoError) -> (coordinator: Int, seconds: Double) {
    let lastStart = HostClock().now()
    var last: [HostReport?] = []
    while (HostClock().now() - lastStart).inSeconds < Self.patience {
      last = try fleet.reports()
      if let coordinator = agreed(last, plan: plan) {
        return (coordinator, (HostClock().now() - lastStart).inSeconds)
      }
      try fleet.check()
      try interruption.wait(seconds: 0.05)
    }
    let said = zip(plan.hosts, last).map { host, report in
      "\(host.label) \(report.map { $0.sync.role.rawValue } ?? "says nothing")"
    }
    throw .failed(
      "the hosts are not in sync after \(Int(Self.patience)) s: "
        + said.joined(separator: ", "))
  }

  /// The coordinator's place in the plan, where all hosts truly agree on shared time.
  private func agreed(_ reports: [HostReport?], plan: StagePlan) -> Int? {
    let syncs = reports.compactMap { $0?.sync }
    let readings = syncs.compactMap { SyncReading($0) }
    let coordinators = syncs.indices.filter { syncs[$0].role == .coordinator }
    guard readings.count == plan.hosts.count, coordinators.count == 1,
      Set(syncs.map(\.session)).count == 1, let coordinator = coordinators.first
    else { return nil }
    let truth = SharedTruth(
      coordinator: plan.hosts[coordinator].clock, anchor: readings[coordinator])
    let isTrue = plan.hosts.indices.allSatisfy { place in
      let error = truth.errorNanoseconds(of: readings[place], clock: plan.hosts[place].clock)
      return Double(error.magnitude) <= Budgets().syncErrorNs
    }
    return isTrue ? coordinator : nil
  }

  private func folder(_ path: String) throws(DemoError) -> String {
    let manager = FileManager.default
    let whole = path.hasPrefix("/") ? path : manager.currentDirectoryPath + "/" + path
    do {
      try manager.createDirectory(atPath: whole, withIntermediateDirectories: true)
    } catch {
      throw .failed("the folder \(whole) cannot be made; choose another with --output")
    }
    guard manager.isWritableFile(atPath: whole) else {
      throw .failed("nothing can be written to \(whole); choose another with --output")
    }
    return whole
  }
}
