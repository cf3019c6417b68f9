internal import AcousticScene
internal import Control
internal import Glibc
internal import HostClock
internal import Recording
internal import Units

/// The daemons of a demo, each with its own card, clock, state and socket.
final class Fleet {
  private let plan: StagePlan
  private let workplace: Workplace
  private let tool: CommandLineTool
  private var daemons: [ChildProcess] = []

  init(plan: StagePlan, workplace: Workplace, tool: CommandLineTool) {
    self.plan = plan
    self.workplace = workplace
    self.tool = tool
  }

  /// The control socket of the host at `place` of the plan.
  func socket(_ place: Int) -> String { workplace.path(plan.hosts[place].label + "/control.sock") }

  /// Starts all daemons, whose takes go to `output`.
  func start(program: Program, scenePath: String, output: String) throws {
    let group = "demo-" + (try Workplace.secret(bytes: 4))
    let passphrase = try workplace.write(
      Array((try Workplace.secret(bytes: 24) + "\n").utf8), to: "passphrase")
    for host in plan.hosts {
      try workplace.makeFolder(host.label)
      let sound = host.soundConfiguration(
        pcm: "microphone", library: program.virtualCard, scenePath: scenePath)
      let configuration = try workplace.write(Array(sound.utf8), to: host.label + "/asoundrc")
      let log = open(
        workplace.path(host.label + "/log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      defer { close(log) }
      var variables = host.clock.environment
      variables["LD_PRELOAD"] = program.skewedClock
      variables["ALSA_CONFIG_PATH"] = configuration
      daemons.append(
        try ChildProcess(
          path: program.path,
          arguments: [
            "daemon", "--config", "/dev/null", "--state", workplace.path(host.label + "/state"),
            "--socket",
            workplace.path(host.label + "/control.sock"), "--name", host.label, "--group", group,
            "--passphrase-file", passphrase, "--interface", "lo", "--port", "0", "--input",
            "microphone", "--output", output, "--stop-on-eof",
          ], variables: variables, output: log, error: log, hasLifeline: true))
    }
  }

  /// What each host says of itself, in the order of the plan; nothing from one that is silent.
  func reports() throws(DemoError) -> [HostReport?] {
    var reports: [HostReport?] = []
    for place in plan.hosts.indices {
      let fleet = try tool.ask(
        ["status", "--json", "--socket", socket(place)], for: FleetReport.self)
      reports.append(fleet?.hosts.first { $0.peer == fleet?.peer })
    }
    return reports
  }

  /// Throws when a daemon has ended by itself, with what it said last.
  func check() throws(DemoError) {
    for (place, daemon) in daemons.enumerated() {
      guard let code = daemon.exitCode() else { continue }
      let label = plan.hosts[place].label
      throw .failed(
        "the daemon of \(label) ended with \(code):\n\(workplace.tail(of: label + "/log"))")
    }
  }

  /// Ends all daemons, those that hang by force.
  func stop() {
    for daemon in daemons { daemon.release() }
    for daemon in daemons { daemon.stop() }
    daemons = []
  }

  deinit { stop() }
}

extension SyncReading {
  /// What a report says of shared time, or nothing where the host has none.
  init?(_ sync: HostReport.Sync) {
    guard sync.role != .unsynced, let host = sync.hostNs, let shared = sync.sharedNs,
      let instant = SharedInstant(checking: shared)
    else { return nil }
    self.init(
      host: HostInstant(nanoseconds: host), shared: instant, boundNanoseconds: sync.boundNs ?? 0,
      offsetNanoseconds: sync.offsetNs ?? 0)
  }
}
