internal import CaptureEngine
internal import HostClock
internal import PeerClock
internal import PeerCore
internal import Recording
internal import Units

// Going on after an end that nobody asked for.
extension DaemonService {
  /// How long a take waits for shared time, and for its card, before it is given up.
  static let resumePatience = Duration.seconds(30)
  /// How long others are waited for after a boot, who know better what became of the take; and, where
  /// there are some, how long they have to tell that it was stopped: each heartbeat tells of one take.
  static let solitude = Duration.seconds(5)
  static let hearsay = Duration.seconds(10)

  /// Whether the clock of the run before counts on. After a boot others give the session back; failing
  /// them it is placed by the wall clock, since this host counts as armed from its start.
  private var isSameBoot: Bool { leftRun?.bootID == BootID.current() ?? "" }

  /// Goes on with the take that the daemon before this one was recording: in another file, of the
  /// same take, from as soon as the card is open. What is missing is marked.
  func resume() async {
    defer { pendingTake = nil }
    guard let take = leftRun?.take, engine != nil else { return }
    let name = "take \(take.plan.name) T\(take.plan.number)"
    let begun = hostClock.now()
    while hostClock.now() < begun + Self.resumePatience {
      if takes[take.plan.id]?.isStopped == true || isBusy { return await giveUpSession() }
      if haveMovedOn(from: take) { break }
      if isFree(take, since: begun), let engine {
        do {
          try await goOn(take, on: engine)
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
    await giveUpSession()
    await note(
      .takeFailed, .critical, "\(name) was interrupted and could not be gone on with",
      next: "recorder start begins another")
  }

  /// Whether there is nothing more to wait for: its session's time is there, and whoever may know that
  /// it was stopped has had the time to say so.
  private func isFree(_ take: RunFile.Take, since begun: HostInstant) -> Bool {
    guard clock.session?.id == take.session, clock.map != nil else { return false }
    if isSameBoot { return true }
    let isAlone = !connected.values.contains(.connected)
    return hostClock.now() - begun >= (isAlone ? Self.solitude : Self.hearsay)
  }

  /// Whether all that are heard live in another session: the take is over for them.
  private func haveMovedOn(from take: RunFile.Take) -> Bool {
    let sessions = reports.filter { connected[$0.key] == .connected }
      .compactMap(\.value.report.sync.session)
    return !sessions.isEmpty && !sessions.contains(take.session)
  }

  /// A host that does not go on lives in the others' session.
  private func giveUpSession() async {
    guard let engine else { return }
    await tellActivity(engine)
  }

  private var isBusy: Bool {
    switch engine?.snapshot.state {
    case .scheduled, .rolling: true
    case .idle, .armed, nil: false
    }
  }

  private func goOn(_ take: RunFile.Take, on engine: CaptureEngine) async throws {
    let look = try await look(engine)
    // Meanwhile it may have been stopped elsewhere, or another begun.
    guard takes[take.plan.id]?.isStopped != true, !isBusy else { return }
    let now = clock.sharedNow ?? take.t0
    _ = try engine.arm(take.plan, in: look)
    // A wall clock that was wrong after the boot may have put T0 into the future.
    _ = try engine.start(at: isSameBoot ? take.t0 : min(take.t0, now))
    _ = try engine.mark(
      isSameBoot ? "resumed: the daemon had ended" : "resumed: the machine had ended",
      at: max(now, take.t0))
  }

  private func toldResumed(_ take: RunFile.Take, _ name: String) async {
    say("goes on with \(name), which the daemon before this one was recording")
    await note(take.plan, t0: take.t0)
    if let engine { await tellActivity(engine) }
    await note(
      .restarted, .warning,
      "\(isSameBoot ? "the daemon" : "the machine") had ended; it goes on with \(name) in another file",
      next: "what is missing between the two is marked, and align keeps both in place")
  }
}
