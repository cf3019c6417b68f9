internal import CaptureEngine
internal import HostClock
internal import PeerClock
internal import PeerCore
internal import Recording
internal import Units

// Takes as every heartbeat carries them: what a host obeys that no order has reached.
extension DaemonService {
  /// A take that this host was not told of is joined after so long: the order may be on its way.
  static let joinPatience = Duration.milliseconds(1500)
  /// An end that is further ahead is this host's own plan, which may be changed; nearer, it is told
  /// to all.
  static let endNotice = Duration.seconds(2)
  /// Whoever stops a take waits for a post-roll of so long.
  static let longestPostRollWaited = Duration.seconds(5)
  /// The most takes that are remembered.
  static let mostKnownTakes = 64

  func listenToTakes() async {
    for await take in clock.takes {
      Task { await obey(take) }
    }
  }

  /// Tells all hosts, those that are cut off or come later too, when a take begins and ends.
  func note(_ plan: TakePlan, t0: SharedInstant, t1: SharedInstant? = nil) async {
    guard let session = clock.session?.id else { return }
    let state = TakeState(
      session: session, id: plan.id, number: UInt32(clamping: plan.number), name: plan.name, t0: t0,
      t1: t1)
    remember(state)
    await clock.noteTake(state)
  }

  /// Every take that is under way ends at `t1`, also where nobody rolls it any more.
  func noteEnd(at t1: SharedInstant) async {
    for take in takes.values where !take.isStopped && take.session == clock.session?.id {
      let plan = TakePlan(id: take.id, name: take.name, number: Int(take.number))
      await note(plan, t0: take.t0, t1: t1)
    }
  }

  /// Tells of an end that was set before and has come near.
  func noteEndIfNear() async {
    guard case .rolling(let plan, let t0, let t1?) = engine?.snapshot.state,
      takes[plan.id]?.isStopped != true, let now = clock.map?.shared(at: hostClock.now()),
      t1 - now < Self.endNotice
    else { return }
    await note(plan, t0: t0, t1: t1)
  }

  private func remember(_ take: TakeState) {
    let merged = takes[take.id].map { known in
      known.session == take.session ? known.merged(with: take) : known
    }
    takes[take.id] = merged ?? take
    while takes.count > Self.mostKnownTakes,
      let oldest = takes.values.min(by: { ($0.t0, $0.id) < ($1.t0, $1.id) })
    {
      takes[oldest.id] = nil
    }
  }

  /// Does what is told of a take, once: begins earlier, ends, or joins one that is under way.
  private func obey(_ take: TakeState) async {
    remember(take)
    guard let engine, take.session == clock.session?.id else { return }
    if let t1 = take.t1 { return await end(take, at: t1, on: engine) }
    switch engine.snapshot.state {
    case .scheduled(let plan, _, _) where plan.id == take.id,
      .rolling(let plan, _, _)
    where plan.id == take.id:
      attempt("begin take \(take.number) earlier") { () throws(CaptureError) in
        _ = try engine.start(at: take.t0)
      }
    case .idle, .armed: await joinLater(take, on: engine)
    case .scheduled, .rolling: break
    }
    await tellActivity(engine)
    await publishReport()
  }

  private func end(_ take: TakeState, at t1: SharedInstant, on engine: CaptureEngine) async {
    guard engine.snapshot.state.plan?.id == take.id else { return }
    switch engine.snapshot.state {
    case .scheduled, .rolling:
      attempt("end take \(take.number)") { () throws(CaptureError) in try engine.stop(at: t1) }
    case .idle, .armed: break
    }
    await tellActivity(engine)
    await publishReport()
  }

  /// A take that began without this host is joined, unless the host has had its part of it.
  private func joinLater(_ take: TakeState, on engine: CaptureEngine) async {
    do {
      try await Task.sleep(for: Self.joinPatience)
    } catch {
      return
    }
    guard let known = takes[take.id], !known.isStopped, !left.contains(take.id),
      known.session == clock.session?.id
    else { return }
    let look: FolderLook
    do { look = try await self.look(engine) } catch {
      return say("could not join take \(take.number): \(error)")
    }
    switch engine.snapshot.state {
    case .idle, .armed: break
    case .scheduled, .rolling: return
    }
    guard takes[take.id]?.isStopped != true, !left.contains(take.id) else { return }
    // What a host that records it says of it is more than a heartbeat carries.
    let told = reports.values.compactMap(\.report.take).first { $0.id == take.id }
    let plan = told ?? plan(of: take)
    say("joins take \(plan.name) T\(plan.number), which is under way")
    let isDone = attempt("join take \(plan.number)") { () throws(CaptureError) in
      _ = try engine.arm(plan, in: look)
      _ = try engine.start(at: known.t0)
    }
    if !isDone { leave(take.id) }
  }

  /// What a heartbeat carries of a take, and what the session has agreed on.
  private func plan(of take: TakeState) -> TakePlan {
    let book = currentBook()
    return TakePlan(
      id: take.id, name: take.name, number: Int(take.number), project: book?.slate?.project,
      tape: book?.slate?.tape, timecode: book?.timecode?.setting)
  }

  @discardableResult
  private func attempt(_ what: String, _ work: () throws(CaptureError) -> Void) -> Bool {
    do {
      try work()
      return true
    } catch {
      say("could not \(what): \(error)")
      return false
    }
  }

  /// This host has had its part of a take: it joins it no more.
  func leave(_ take: TakeID) {
    guard !left.contains(take) else { return }
    left = left.suffix(Self.mostSpent - 1) + [take]
  }
}
