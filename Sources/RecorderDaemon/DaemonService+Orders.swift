internal import CaptureEngine
internal import Control
internal import FileIO
internal import HostClock
internal import PeerClock
internal import PeerCore
internal import Recording
internal import Units

// What this host does when it is told.
extension DaemonService {
  func carryOut(_ order: FleetOrder) async -> HostAnswer {
    if case .renewSession = order.action { return await renewSession(as: order) }
    if case .forget(let peer) = order.action {
      let answer = forgetting(peer)
      await watchHealth()
      // Whoever asked looks at the status next.
      await publishReport()
      return answer
    }
    if case .slate(let slate) = order.action, order.session == clock.session?.id {
      let answer = write(slate)
      await publishReport()
      return answer
    }
    guard let engine else {
      return HostAnswer(peer: me, label: label, outcome: .noInput, state: "idle")
    }
    guard order.session == clock.session?.id else {
      return refusal("it is in another session; wait a moment and try again", of: engine)
    }
    var answer: HostAnswer
    do {
      answer = try await performInTurn(order.action, on: engine)
    } catch {
      answer = refusal("\(error)", of: engine)
      if case .state = error as? CaptureError { answer.isWrongState = true }
    }
    await tellActivity(engine)
    await publishReport()
    return answer
  }

  func done(_ engine: CaptureEngine) -> HostAnswer {
    let snapshot = engine.snapshot
    var answer = HostAnswer(
      peer: me, label: label, outcome: .done, state: snapshot.state.word)
    answer.input = snapshot.input
    answer.filesASegment = filesASegment(snapshot)
    return answer
  }

  private func refusal(_ reason: String, of engine: CaptureEngine) -> HostAnswer {
    var answer = done(engine)
    answer.outcome = .refused
    answer.reason = reason
    return answer
  }

  /// What changes what the card does is done in the order in which it comes.
  private func performInTurn(
    _ action: FleetOrder.Action, on engine: CaptureEngine
  ) async throws -> HostAnswer {
    switch action {
    case .arm, .start, .stop, .disarm:
      guard await takeTurn() else {
        return refusal("too many orders came at once; try again", of: engine)
      }
      let answer: HostAnswer
      do {
        defer { passTurn() }
        answer = try await perform(action, on: engine)
      }
      guard case .stop(let t1) = action else { return answer }
      return await ended(at: t1, answer, on: engine)
    default: return try await perform(action, on: engine)
    }
  }

  private func perform(
    _ action: FleetOrder.Action, on engine: CaptureEngine
  ) async throws -> HostAnswer {
    switch action {
    case .arm(let plan):
      _ = try engine.arm(plan, in: try await look(engine))
      return armed(plan, engine)
    case .start(let plan, let t0, let isForAll):
      guard try await prepare(plan, at: t0, on: engine) else {
        // The other take has won: nobody is to join this one.
        await note(plan, t0: t0, t1: t0)
        var answer = done(engine)
        answer.otherTake = engine.snapshot.state.plan.map { "\($0.number) “\($0.name)”" }
        return answer
      }
      let report = try engine.start(at: t0)
      if isForAll { await note(plan, t0: t0) }
      var answer = armed(plan, engine)
      answer.lateNs = report.late?.wholeNanoseconds
      answer.isCovered = report.late.map { _ in report.isCovered }
      return answer
    case .stop(let t1):
      if let plan = engine.snapshot.state.plan { leave(plan.id) }
      try engine.stop(at: t1)
      return goingOn(engine, to: t1)
    case .disarm:
      try engine.disarm()
      return done(engine)
    // For whoever keeps the time, with a card or without.
    case .mark(let text, let instant): return try await mark(text, at: instant, on: engine)
    case .remark(let take, let remarks): return try await remark(take, remarks, on: engine)
    case .countFiles(let take, let total):
      let hasPart = try await written { () throws(CaptureError) in
        try engine.tell(totalFiles: total, of: take)
      }
      return partly(hasPart, engine)
    case .listTakes(let page): return try await listTakes(page: page, of: engine)
    case .listFiles(let take, let page): return try await listFiles(of: take, page: page, engine)
    case .digest(let take, let name): return try await digest(of: name, take: take, engine)
    case .renewSession, .slate, .forget: return done(engine)
    }
  }

  /// Done, with what this host has to be told of the plan.
  private func armed(_ plan: TakePlan, _ engine: CaptureEngine) -> HostAnswer {
    if let now = clock.sharedNow { learn(from: plan, at: now, by: me) }
    var answer = done(engine)
    answer.preRollNs = engine.snapshot.preRoll?.wholeNanoseconds
    answer.ringBytes = engine.snapshot.ringBytes
    answer.note = disagreement(with: plan)
    return answer
  }

  /// What became of the take, where its end is so near that it is waited for; else `answer`.
  private func ended(
    at t1: SharedInstant, _ answer: HostAnswer, on engine: CaptureEngine
  ) async -> HostAnswer {
    guard isNear(t1), options.postRoll <= Self.longestPostRollWaited else { return answer }
    await noteEndIfNear()
    await waitUntilClosed(engine)
    return await summary(of: engine)
  }

  /// Done, and the take goes on for a while.
  private func goingOn(_ engine: CaptureEngine, to t1: SharedInstant) -> HostAnswer {
    var answer = done(engine)
    if isNear(t1) {
      let seconds = Int(options.postRoll.inSeconds.rounded())
      answer.note = "goes on for its post-roll of \(seconds) s"
    }
    return answer
  }

  /// How many files this host writes of a segment, where that is known.
  func filesASegment(_ snapshot: CaptureSnapshot) -> Int? {
    guard options.files.isMono else { return 1 }
    return snapshot.input?.channels ?? options.channels?.count
  }

  /// Brings the host to where the take can start; a host that is armed with another take, or not
  /// at all, is armed with this one.
  ///
  /// Of two starts at once the earlier T0 wins, and of equal ones the smaller take id: whether it
  /// is this one.
  private func prepare(
    _ plan: TakePlan, at t0: SharedInstant, on engine: CaptureEngine
  ) async throws -> Bool {
    let look = try await look(engine)
    switch engine.snapshot.state {
    case .rolling(let other, _, _) where other.id != plan.id: throw CaptureError.state(.rolling)
    case .scheduled(let other, let earlier, _) where other.id != plan.id:
      guard (t0, plan.id) < (earlier, other.id) else { return false }
      try engine.stop(at: earlier)
      await note(other, t0: earlier, t1: earlier)
      _ = try engine.arm(plan, in: look)
    case .idle: _ = try engine.arm(plan, in: look)
    case .armed(let other) where other != plan: _ = try engine.arm(plan, in: look)
    case .armed, .scheduled, .rolling: break
    }
    return true
  }

  /// Whether an instant is so near that whoever asked waits for it.
  private func isNear(_ instant: SharedInstant) -> Bool {
    guard let now = clock.map?.shared(at: hostClock.now()) else { return true }
    return instant - now < Self.endNotice
  }

  /// For a disk that does not answer whoever stops a take waits no longer than this.
  private static let silencePatience = Duration.seconds(4)

  private func waitUntilClosed(_ engine: CaptureEngine) async {
    let deadline = hostClock.now() + Self.closingPatience
    while engine.snapshot.state.isToEnd, hostClock.now() < deadline,
      disks.outputSilence.map({ $0 < Self.silencePatience }) ?? true
    {
      do {
        try await Task.sleep(for: .milliseconds(20))
      } catch {
        return
      }
    }
  }

  private func summary(of engine: CaptureEngine) async -> HostAnswer {
    let snapshot = engine.snapshot
    var answer = done(engine)
    answer.recordedFrames = snapshot.recordedFrames
    answer.gaps = snapshot.gaps
    answer.firstSample = snapshot.firstSample
    answer.folder = snapshot.folder
    answer.headMissingNs = snapshot.headMissing?.wholeNanoseconds
    answer.tailExcessNs = snapshot.tailExcess?.wholeNanoseconds
    if let take = snapshot.state.plan?.id {
      let closed = await disks.takes.value(within: Disks.patience) { engine.takes() }
      let parts = (closed ?? []).filter { $0.summary.take.id == take }
      answer.takeFiles = parts.reduce(0) { $0 + $1.summary.files.count }
      answer.totalFiles = parts.last?.summary.totalFiles
    }
    if case .rolling = snapshot.state {
      answer.outcome = .refused
      answer.reason = "the disk has not taken the whole take yet; recorder status tells when"
    }
    return answer
  }

  func tellActivity(_ engine: CaptureEngine) async {
    switch engine.snapshot.state {
    case .idle: await clock.setActivity(.idle)
    case .armed: await clock.setActivity(.armed)
    case .scheduled, .rolling: await clock.setActivity(.rolling)
    }
  }
}
