internal import CaptureEngine
internal import HostClock
internal import PeerClock
internal import PeerCore
internal import Recording
internal import Systemd
internal import Units

// Going on after an end that nobody asked for, and staying awake.
extension DaemonService {
  /// How long a take waits for shared time, and for its card, before it is given up.
  static let resumePatience = Duration.seconds(30)

  /// Goes on with the take that the daemon before this one was recording: in another file, of the
  /// same take, from as soon as the card is open. What is missing is marked.
  func resume() async {
    defer { pendingTake = nil }
    guard let run = leftRun, let take = run.take, engine != nil else { return }
    let name = "take \(take.plan.name) T\(take.plan.number)"
    guard run.bootID == BootID.current() ?? "" else {
      return say(
        "\(name) was interrupted by an end of the machine: it is gone on with where the "
          + "other hosts still roll")
    }
    let deadline = hostClock.now() + Self.resumePatience
    while hostClock.now() < deadline {
      if takes[take.plan.id]?.isStopped == true || isBusy { return }
      if clock.session?.id == take.session, clock.map != nil, let engine {
        do throws(CaptureError) {
          try goOn(take, on: engine)
          return await toldResumed(take, name)
        } catch {
          say("could not go on with \(name) yet: \(error)")
        }
      }
      do {
        try await Task.sleep(for: .milliseconds(250))
      } catch {
        return
      }
    }
    await note(
      .takeFailed, .critical, "\(name) was interrupted and could not be gone on with",
      next: "recorder start begins another")
  }

  private var isBusy: Bool {
    switch engine?.snapshot.state {
    case .scheduled, .rolling: true
    case .idle, .armed, nil: false
    }
  }

  private func goOn(_ take: RunFile.Take, on engine: CaptureEngine) throws(CaptureError) {
    _ = try engine.arm(take.plan)
    _ = try engine.start(at: take.t0)
    if let now = clock.sharedNow {
      _ = try engine.mark("resumed: the daemon had ended", at: max(now, take.t0))
    }
  }

  private func toldResumed(_ take: RunFile.Take, _ name: String) async {
    say("goes on with \(name), which the daemon before this one was recording")
    await note(take.plan, t0: take.t0)
    if let engine { await tellActivity(engine) }
    await note(
      .restarted, .warning, "the daemon had ended; it goes on with \(name) in another file",
      next: "what is missing between the two is marked, and align keeps both in place")
  }
}

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
