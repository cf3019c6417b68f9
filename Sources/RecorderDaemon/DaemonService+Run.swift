internal import CaptureEngine
internal import FileIO
internal import HostClock
internal import PeerClock
internal import Recording
internal import Units

// What is kept for a daemon that comes after this one, should this one end unbidden.
extension DaemonService {
  /// How long the others may take to hear that this host leaves.
  static let goodbye = Duration.milliseconds(150)

  /// Writes down what this host is doing, where that has changed.
  func keepRun() {
    var run = RunFile(bootID: BootID.current() ?? "")
    if let session = clock.session?.id {
      switch engine?.snapshot.state {
      case .scheduled(let plan, let t0, _), .rolling(let plan, let t0, _):
        run.take = RunFile.Take(plan: plan, session: session, t0: t0)
      // Not before it was gone on with, or given up, is it forgotten.
      case .idle, .armed, nil: run.take = pendingTake
      }
    }
    guard !isStopped, run != keptRun else { return }
    keptRun = run
    let directory = options.stateDirectory
    disks.state.add("run") { [run] in run.save(in: directory) }
  }

  /// Tells the others that this is no loss.
  func leave() async {
    await note(
      Alert(
        .host, subject: Self.leaving, severity: .info, text: "the daemon was ended by its user"))
    guard connected.values.contains(.connected) else { return }
    do {
      try await Task.sleep(for: Self.goodbye)
    } catch {
      return
    }
  }
}
