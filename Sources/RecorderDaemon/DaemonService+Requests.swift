internal import CaptureEngine
internal import Control
internal import HostClock
internal import PeerClock
internal import PeerCore
internal import Recording
internal import Units

// What this host's user asks for.
extension DaemonService {
  /// T0 and T1 are whole 10 ms of session time: whole samples at 44.1 and 48 kHz.
  static let grid: Int64 = 10_000_000
  /// How far ahead a take begins where the user does not say.
  static let startLead = Duration.seconds(1)
  /// How far ahead a stop is set, so that every host hears of it in time.
  static let stopLead = Duration.milliseconds(200)
  /// How far from now a take may begin and end, either way.
  static let furthestStart = Duration.seconds(86_400)

  /// Why an order goes to nobody.
  struct Refusal: Error {
    let reason: String
    let exitCode: ExitCode
  }

  func handle(_ request: ControlRequest) async -> ControlReply {
    do throws(Refusal) {
      switch request.verb {
      case .status: return .fleet(try await fleetReport(naming: request.hosts))
      case .clock: return .clock(await clockReport())
      case .renewSession: return .clock(try await renewSession())
      case .scene: return .order(try await setScene(request))
      case .mark: return .order(try await mark(request))
      case .note:
        return .order(try await remark(TakeRemarks(note: request.text), request))
      case .circle:
        return .order(
          try await remark(TakeRemarks(isCircled: request.isCircled ?? true), request))
      case .takes: return .takes(try await listTakes(request))
      case .name: return .order(try await rename(request))
      case .forget: return .order(try await forget(request))
      case .pull: return .pull(try await pull(request))
      case .pullProgress: return .pull(try pullProgress())
      case .events:
        let most = min(max(0, request.mostEvents ?? EventsReport.most), EventsReport.most)
        return .events(
          EventsReport(
            events: eventBook.events(after: request.afterEvent ?? 0, limit: most),
            newest: eventBook.newest))
      case .arm: return .order(try await arm(request))
      case .start: return .order(try await start(request))
      case .stop: return .order(try await stop(request))
      case .disarm:
        let members = try members(named: request.hosts)
        var report = OrderReport(verb: .disarm)
        report.absent = try absent(request, among: members)
        report.hosts = await callRoll(.disarm, of: members)
        return .order(report)
      }
    } catch {
      return .refusal(reason: error.reason, exitCode: error.exitCode)
    }
  }

  private func arm(_ request: ControlRequest) async throws(Refusal) -> OrderReport {
    try checkPresence(request)
    let members = try members(named: request.hosts)
    var report = OrderReport(verb: .arm)
    if let note = try await renewSessionIfOld() { report.notes.append(note) }
    let (_, session) = try timeline()
    let plan = newPlan(name: request.takeName, session: session)
    report.take = plan
    report.hosts = await callRoll(.arm(plan), of: members)
    return try checked(report)
  }

  /// What is idle is armed first, and T0 is chosen when that is done.
  private func start(_ request: ControlRequest) async throws(Refusal) -> OrderReport {
    try checkPresence(request)
    let members = try members(named: request.hosts)
    var plan = try startPlan(name: request.takeName)
    var report = OrderReport(verb: .start)
    report.take = plan
    let idle = members.filter(isIdleCard)
    if !idle.isEmpty {
      let answers = await callRoll(.arm(plan), of: idle)
      let armed = answers.filter { $0.outcome == .done }
      try checkArmed(request, failures: answers.filter { $0.outcome != .done })
      let labels = armed.map(\.label).joined(separator: ", ")
      if !armed.isEmpty { report.notes.append("armed first: \(labels)") }
    }
    let (t0, session) = try instant(request, usual: Self.startLead)
    plan.told = clock.sharedNow
    plan.fileCount = fileCount(of: members)
    report.take = plan
    report.t0SharedNs = t0.nanoseconds
    report.t0UnixNs = session.unixNanoseconds(at: t0)
    let isForAll = request.hosts.isEmpty
    if isForAll { await note(plan, t0: t0) }
    let answers = await callRoll(.start(plan, t0: t0, isForAll: isForAll), of: members)
    report.hosts = await withFirstSamples(answers, of: plan.id, t0: t0)
    return try checked(report)
  }

  private func stop(_ request: ControlRequest) async throws(Refusal) -> OrderReport {
    let members = try members(named: request.hosts)
    let (t1, session) = try instant(request, usual: Self.stopLead)
    var report = OrderReport(verb: .stop)
    report.absent = try absent(request, among: members)
    report.take = fleetPlan()
    report.t1SharedNs = t1.nanoseconds
    report.t1UnixNs = session.unixNanoseconds(at: t1)
    let (now, _) = try timeline()
    if request.hosts.isEmpty, t1 - now < Self.endNotice { await noteEnd(at: t1) }
    report.hosts = await callRoll(.stop(t1: t1), of: members)
    if let take = report.take { await countFiles(of: take, answers: report.hosts, members) }
    return try checked(report)
  }

  /// Where no host has a card there is nothing to record from.
  private func checked(_ report: OrderReport) throws(Refusal) -> OrderReport {
    guard report.hosts.contains(where: { $0.outcome != .noInput }) else {
      throw Refusal(
        reason: "no host has a card; start a daemon with one: recorder daemon --input hw:1",
        exitCode: .failed)
    }
    return report
  }
}

// Plans and instants.
extension DaemonService {
  func timeline() throws(Refusal) -> (now: SharedInstant, session: Session) {
    guard let session = clock.session, let map = clock.map else {
      throw Refusal(
        reason: "this host has no shared time yet; wait a moment and try again", exitCode: .failed)
    }
    return (map.shared(at: hostClock.now()), session)
  }

  /// The instant that is asked for, on the grid; `usual` from now where none is.
  private func instant(
    _ request: ControlRequest, usual: Duration
  ) throws(Refusal) -> (instant: SharedInstant, session: Session) {
    let (now, session) = try timeline()
    var lead = request.leadNs.map { Duration.nanoseconds($0) } ?? usual
    if let unix = request.atUnixNs {
      // By way of a difference that cannot overflow: the time came from outside.
      let ahead = unix.subtractingReportingOverflow(session.unixNanoseconds(at: now))
      lead = ahead.overflow ? .seconds(Int64.max) : .nanoseconds(ahead.partialValue)
    }
    guard lead <= Self.furthestStart, lead >= .zero - Self.furthestStart else {
      throw Refusal(reason: "a take begins and ends within a day from now", exitCode: .usage)
    }
    return (onGrid(now + lead), session)
  }

  /// `instant`, or the next later whole 10 ms.
  private func onGrid(_ instant: SharedInstant) -> SharedInstant {
    let below = instant.nanoseconds / Self.grid * Self.grid
    return SharedInstant(
      nanoseconds: below < instant.nanoseconds ? below + Self.grid : below)
  }

  private func newPlan(name: String?, session: Session) -> TakePlan {
    var generator = SystemRandomNumberGenerator()
    let slate = currentBook()?.slate
    let now = clock.sharedNow ?? session.anchor
    return TakePlan(
      id: TakeID(from: &generator), name: name ?? slate?.scene ?? "take",
      number: counter.next(in: session.id), project: slate?.project, tape: slate?.tape,
      timecode: agreedTimecode(at: now))
  }

  /// The armed take, unless it was used up or is called otherwise now; else the next one, under
  /// the name that the last had.
  private func startPlan(name: String?) throws(Refusal) -> TakePlan {
    let plan = fleetPlan()
    if let plan, !spent.contains(plan.id), name == nil || name == plan.name { return plan }
    let (_, session) = try timeline()
    return newPlan(
      name: name ?? currentBook()?.slate?.scene ?? plan?.name, session: session)
  }

  /// How many files all that take part write of a segment.
  private func fileCount(of members: [Member]) -> Int {
    members.reduce(into: 0) { count, member in
      if member.peer == me {
        if let engine { count += filesASegment(engine.snapshot) ?? 1 }
      } else if let report = reports[member.peer]?.report, report.input != nil {
        count += report.filesASegment ?? 1
      }
    }
  }

  /// The take that is armed here, or on any other host that is heard.
  func fleetPlan() -> TakePlan? {
    if let plan = engine?.snapshot.state.plan { return plan }
    return reports.filter { connected[$0.key] != .disconnected && $0.value.report.state != "idle" }
      .values.compactMap(\.report.take).min { $0.id < $1.id }
  }
}
