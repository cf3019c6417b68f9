internal import CaptureEngine
internal import Control
internal import HostClock
internal import PeerClock
internal import Recording
internal import Units

// What this host's user says of takes.
extension DaemonService {
  /// How far from now an instant may lie that is marked.
  static let furthestMark = Duration.seconds(86_400)
  /// The most pages of takes that are asked for.
  static let mostPages = 256

  /// Writes on the slate of all hosts; a take that is armed and has not begun is called so too.
  func setScene(_ request: ControlRequest) async throws(Refusal) -> OrderReport {
    let members = try members(named: [])
    let (now, _) = try timeline()
    let old = currentBook()?.slate
    let slate = SessionBook.Slate(
      scene: request.takeName ?? old?.scene, project: request.project ?? old?.project,
      tape: request.tape ?? old?.tape, setAt: now, by: me)
    var report = OrderReport(verb: .scene)
    report.hosts = await callRoll(.slate(slate), of: members)
    report.slate = currentBook()?.slate
    let armed = members.filter { state(of: $0) == "armed" }
    let isBusy = members.contains { ["scheduled", "rolling"].contains(state(of: $0)) }
    if let plan = fleetPlan(), !spent.contains(plan.id), !armed.isEmpty, !isBusy {
      let renamed = plan.renamed(
        slate.scene ?? plan.name, project: slate.project, tape: slate.tape)
      _ = await callRoll(.arm(renamed), of: armed)
      report.take = renamed
    }
    return report
  }

  /// Marks an instant on all hosts that have it: in the take that rolls, or in one that is closed.
  func mark(_ request: ControlRequest) async throws(Refusal) -> OrderReport {
    let (now, session) = try timeline()
    let distance = Self.distance(of: request, from: now, in: session)
    guard distance <= Self.furthestMark, distance >= .zero - Self.furthestMark else {
      throw Refusal(reason: "an instant is marked within a day from now", exitCode: .usage)
    }
    let instant = now + distance
    var report = OrderReport(verb: .mark)
    let asked = try members(named: request.hosts)
    report.absent = try absent(request, among: asked)
    var meant = asked.filter { ["scheduled", "rolling"].contains(state(of: $0)) }
    report.take = fleetPlan()
    if distance < .zero, let take = try await takeClosed(over: instant) {
      let peers = Set(take.hosts.map(\.peer))
      meant = asked.filter { peers.contains($0.peer) }
      report.take = take.hosts.first?.take
    }
    guard !meant.isEmpty else {
      let reason =
        distance < .zero
        ? "no take of this session has that instant; run: recorder takes"
        : "no take is rolling; run: recorder start"
      throw Refusal(reason: reason, exitCode: .wrongState)
    }
    report.atSharedNs = instant.nanoseconds
    report.atUnixNs = session.unixNanoseconds(at: instant)
    report.hosts = await callRoll(.mark(text: request.text ?? "marker", at: instant), of: meant)
    return report
  }

  private static func distance(
    of request: ControlRequest, from now: SharedInstant, in session: Session
  ) -> Duration {
    guard let unix = request.atUnixNs else { return .nanoseconds(request.leadNs ?? 0) }
    // By way of a difference that cannot overflow: the time came from outside.
    let ahead = unix.subtractingReportingOverflow(session.unixNanoseconds(at: now))
    return ahead.overflow ? .seconds(Int64.max) : .nanoseconds(ahead.partialValue)
  }

  /// The take that is closed and has the instant `shared`.
  private func takeClosed(over shared: SharedInstant) async throws(Refusal) -> TakesReport.Take? {
    try await listTakes(ControlRequest(.takes)).takes.last { take in
      take.hosts.contains { host in
        host.t0 <= shared && host.t1.map { shared <= $0 } ?? false
      }
    }
  }

  /// Says something of a take on all hosts that recorded it.
  func remark(
    _ remarks: TakeRemarks, _ request: ControlRequest
  ) async throws(Refusal) -> OrderReport {
    let members = try members(named: request.hosts)
    var report = OrderReport(verb: request.verb)
    report.absent = try absent(request, among: members)
    let plan = try await takeMeant(by: request.takeLabel)
    report.take = plan
    report.isCircled = remarks.isCircled
    report.hosts = await callRoll(.remark(take: plan.id, remarks), of: members)
    return report
  }

  /// Where hosts split unlike, or one came late, their files say a wrong number: it is told anew.
  func countFiles(
    of take: TakePlan, answers: [HostAnswer], _ members: [Member]
  ) async {
    let parts = answers.filter { $0.outcome == .done && ($0.takeFiles ?? 0) > 0 }
    let total = parts.reduce(0) { $0 + ($1.takeFiles ?? 0) }
    // A host that did not answer has files too, and nobody knows how many.
    guard !answers.contains(where: { $0.outcome == .missing || $0.state == "rolling" }),
      parts.contains(where: { $0.totalFiles != total })
    else { return }
    let peers = Set(parts.map(\.peer))
    _ = await callRoll(
      .countFiles(take: take.id, total: total), of: members.filter { peers.contains($0.peer) })
  }

  /// The take with this label; without one the take that rolls, else the last that was recorded.
  private func takeMeant(by label: String?) async throws(Refusal) -> TakePlan {
    if label == nil, let plan = rollingPlan() { return plan }
    let list = try await listTakes(ControlRequest(.takes))
    let found = label.map { label in list.takes.last { $0.label == label } } ?? list.takes.last
    guard let plan = found?.hosts.first?.take else {
      let known = list.takes.map(\.label).suffix(12).joined(separator: ", ")
      let reason =
        label.map { "the session has no take \($0); it has \(known.isEmpty ? "none" : known)" }
        ?? "the session has no take yet; run: recorder start"
      throw Refusal(reason: reason, exitCode: label == nil ? .wrongState : .failed)
    }
    return plan
  }

  private func rollingPlan() -> TakePlan? {
    if let state = engine?.snapshot.state, state.word == "rolling" { return state.plan }
    return reports.filter { connected[$0.key] != .disconnected }.values
      .filter { $0.report.state == "rolling" }.compactMap(\.report.take).min { $0.id < $1.id }
  }

  /// Gathers the session's takes from all hosts, page by page.
  func listTakes(_ request: ControlRequest) async throws(Refusal) -> TakesReport {
    var asked = try members(named: request.hosts)
    _ = try timeline()
    var parts: [HostTake] = []
    var missing: Set<String> = []
    for page in 0..<Self.mostPages where !asked.isEmpty {
      let answers = await callRoll(.listTakes(page: page), of: asked)
      parts += answers.flatMap { $0.takes ?? [] }
      // One whose disk does not answer is missing as well.
      missing.formUnion(
        answers.filter { [.missing, .refused].contains($0.outcome) }.map(\.label))
      let unfinished = Set(answers.filter { ($0.takesLeft ?? 0) > 0 }.map(\.peer))
      asked = asked.filter { unfinished.contains($0.peer) }
    }
    var report = TakesReport(book: currentBook(), parts: parts)
    report.missing = missing.sorted()
    return report
  }

  /// The state of a host as it was heard last.
  private func state(of member: Member) -> String {
    if member.peer == me { return engine?.snapshot.state.word ?? "idle" }
    return reports[member.peer]?.report.state ?? "unknown"
  }
}

// What this host does about it.
extension DaemonService {
  /// How much of an answer's room takes may fill, in bytes: a command carries 60 KiB.
  static let pageBytes = 40_000

  /// Writes on this host's slate.
  func write(_ slate: SessionBook.Slate) -> HostAnswer {
    changeBook { $0.write(slate) }
    return HostAnswer(
      peer: me, label: label, outcome: .done, state: engine?.snapshot.state.word ?? "idle")
  }

  /// A page of the takes that this host has recorded in the session.
  func listTakes(page: Int, of engine: CaptureEngine) async throws(DiskSilence) -> HostAnswer {
    let closed = try await closedTakes(engine)
    var answer = done(engine)
    var takes = closed.map {
      HostTake($0.summary, peer: me, label: label, folder: $0.folder)
    }
    if case .rolling(let plan, let t0, _) = engine.snapshot.state {
      takes.append(
        HostTake(
          rolling: plan, peer: me, label: label, t0: t0, frames: engine.snapshot.recordedFrames,
          folder: engine.snapshot.folder ?? ""))
    }
    let pages = Self.pages(takes)
    answer.takes = page < pages.count ? Array(takes[pages[page]]) : []
    answer.takesLeft = page < pages.count ? takes.count - pages[page].upperBound : 0
    return answer
  }

  private static func pages(_ takes: [HostTake]) -> [Range<Int>] {
    var pages: [Range<Int>] = []
    var begin = 0
    var bytes = 0
    for (place, take) in takes.enumerated() {
      let size = FleetCoding.encode(take).count
      if bytes + size > pageBytes, place > begin {
        pages.append(begin..<place)
        begin = place
        bytes = 0
      }
      bytes += size
    }
    if begin < takes.count { pages.append(begin..<takes.count) }
    return pages
  }
}
