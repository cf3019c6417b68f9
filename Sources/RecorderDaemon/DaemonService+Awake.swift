internal import CaptureEngine
internal import FileIO
internal import PeerClock
internal import Recording
internal import Systemd

// Staying awake.
extension DaemonService {
  /// How long logind is waited for; the asking itself gives up sooner.
  static let inhibitorPatience = Duration.seconds(4)

  /// While it is armed or rolling the host is kept awake, where there is somebody to ask.
  func stayAwake() async {
    let isNeeded = engine.map { $0.snapshot.state != .idle } ?? false
    guard isNeeded != isKeptAwake else { return }
    isKeptAwake = isNeeded
    inhibitor = nil
    guard isNeeded else { return }
    let outcome = await SideLine(name: "logind").value(within: Self.inhibitorPatience) {
      SleepInhibitor.take(reason: "recording")
    }
    switch outcome {
    case .taken(let taken): if isKeptAwake { inhibitor = taken }
    case .noManager, nil: break
    case .refused:
      await note(
        .privilege, .warning, "this user may not keep the host awake while it records",
        next: "run the daemon as a service, or: systemd-inhibit recorder daemon …")
    }
  }

  /// Tells whoever started the daemon as a service how it does.
  func tellServiceManager() {
    // Aside: a manager that is stuck takes nothing.
    if watchdog != nil { manager.add("alive") { ServiceManager.alive() } }
    let state = engine?.snapshot.state
    let take = state?.plan.map { " \($0.name) T\($0.number)" } ?? ""
    let hosts = 1 + connected.values.filter { $0 != .disconnected }.count
    let problems = health.active.filter { $0.severity > .info }.count
    let text =
      "\(state?.word ?? "no card")\(take) · \(hosts) host\(hosts == 1 ? "" : "s")"
      + (problems > 0 ? " · \(problems) problem\(problems == 1 ? "" : "s")" : "")
    guard text != toldStatus else { return }
    toldStatus = text
    manager.add("status") { ServiceManager.status(text) }
  }
}
