internal import CaptureEngine
internal import PeerClock
internal import Recording
internal import Systemd

// Staying awake.
extension DaemonService {
  /// While it is armed or rolling the host is kept awake, where there is somebody to ask.
  func stayAwake() async {
    let isNeeded = engine.map { $0.snapshot.state != .idle } ?? false
    guard isNeeded != isKeptAwake else { return }
    isKeptAwake = isNeeded
    inhibitor = nil
    guard isNeeded else { return }
    switch SleepInhibitor.take(reason: "recording") {
    case .taken(let taken): inhibitor = taken
    case .noManager: break
    case .refused:
      await note(
        .privilege, .warning, "this user may not keep the host awake while it records",
        next: "run the daemon as a service, or: systemd-inhibit recorder daemon …")
    }
  }

  /// Tells whoever started the daemon as a service how it does.
  func tellServiceManager() {
    if watchdog != nil { ServiceManager.alive() }
    let state = engine?.snapshot.state
    let take = state?.plan.map { " \($0.name) T\($0.number)" } ?? ""
    let hosts = 1 + connected.values.filter { $0 != .disconnected }.count
    let problems = health.active.filter { $0.severity > .info }.count
    let text =
      "\(state?.word ?? "no card")\(take) · \(hosts) host\(hosts == 1 ? "" : "s")"
      + (problems > 0 ? " · \(problems) problem\(problems == 1 ? "" : "s")" : "")
    guard text != toldStatus else { return }
    toldStatus = text
    ServiceManager.status(text)
  }
}
