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

  func handle(_ request: ControlRequest) async -> ControlReply {
    if request.verb == .status { return .fleet(await fleetReport()) }
    guard let session = clock.session, let map = clock.map else {
      return .refusal(
        reason: "this host has no shared time yet; wait a moment and try again", exitCode: .failed)
    }
    let choice = choose(request.hosts)
    if let missing = choice.missing.first {
      return .refusal(
        reason: "no host named \"\(missing)\" is heard; recorder status lists those that are",
        exitCode: .noPeers)
    }
    var report = OrderReport(verb: request.verb)
    let now = map.shared(at: hostClock.now())
    let action = action(for: request, at: now, session: session, report: &report)
    let order = FleetOrder(number: newOrderNumber(), session: session.id, action: action)
    report.hosts = await callRoll(order, choice: choice).sorted {
      ($0.label, $0.peer) < ($1.label, $1.peer)
    }
    return .order(report)
  }

  private func action(
    for request: ControlRequest, at now: SharedInstant, session: Session,
    report: inout OrderReport
  ) -> FleetOrder.Action {
    switch request.verb {
    case .arm, .status:
      let plan = newPlan(name: request.takeName, session: session)
      report.take = plan
      return .arm(plan)
    case .start:
      let armed = fleetPlan()
      if armed == nil { report.notes.append("nothing was armed: armed first") }
      let plan = armed ?? newPlan(name: request.takeName, session: session)
      var t0 = now + (request.leadNs.map { .nanoseconds($0) } ?? Self.startLead)
      if let unix = request.atUnixNs { t0 = session.instant(atUnixNanoseconds: unix) }
      t0 = onGrid(t0)
      report.take = plan
      report.t0SharedNs = t0.nanoseconds
      report.t0UnixNs = session.unixNanoseconds(at: t0)
      return .start(plan, t0: t0)
    case .stop:
      let t1 = onGrid(now + Self.stopLead)
      report.take = fleetPlan()
      report.t1SharedNs = t1.nanoseconds
      return .stop(t1: t1)
    case .disarm: return .disarm
    }
  }

  private func onGrid(_ instant: SharedInstant) -> SharedInstant {
    let steps = (instant.nanoseconds + Self.grid - 1) / Self.grid
    return SharedInstant(nanoseconds: steps * Self.grid)
  }

  private func newPlan(name: String?, session: Session) -> TakePlan {
    var generator = SystemRandomNumberGenerator()
    return TakePlan(
      id: TakeID(from: &generator), name: name ?? "take", number: counter.next(in: session.id))
  }

  /// The take that is armed here, or on any other host that is heard.
  private func fleetPlan() -> TakePlan? {
    if let plan = engine?.snapshot.state.plan { return plan }
    return reports.filter { connected[$0.key] != .disconnected && $0.value.report.state != "idle" }
      .values.compactMap(\.report.take).min { $0.id < $1.id }
  }

  private struct Choice {
    var includesSelf = true
    var peers: [PeerID] = []
    var missing: [String] = []
  }

  /// The hosts by their labels, or by the beginnings of their ids; all where none are named.
  private func choose(_ hosts: [String]) -> Choice {
    let heard = connected.filter { $0.value != .disconnected }.keys.sorted()
    guard !hosts.isEmpty else { return Choice(peers: heard) }
    var choice = Choice(includesSelf: false)
    for host in hosts {
      let here = host == label || me.description.hasPrefix(host)
      let there = heard.filter { name(of: $0) == host || $0.description.hasPrefix(host) }
      if here { choice.includesSelf = true }
      choice.peers += there.filter { !choice.peers.contains($0) }
      if !here && there.isEmpty { choice.missing.append(host) }
    }
    return choice
  }

  /// Tells the hosts, does it here, and gathers the answers.
  private func callRoll(_ order: FleetOrder, choice: Choice) async -> [HostAnswer] {
    guard rollCalls.count < Self.mostRollCalls else { return [] }
    rollCalls[order.number] = RollCall(peers: Set(choice.peers))
    let command = Command(type: FleetOrder.type, payload: FleetCoding.encode(order))
    for peer in choice.peers {
      do {
        try await clock.send(command, to: peer)
      } catch {
        say("could not tell \(name(of: peer)): \(error)")
      }
    }
    let own = choice.includesSelf ? [await carryOut(order)] : []
    await waitForAnswers(to: order)
    let answers = rollCalls.removeValue(forKey: order.number)?.answers ?? [:]
    return own
      + choice.peers.map { peer in
        answers[peer]
          ?? HostAnswer(
            peer: peer, label: name(of: peer), outcome: .missing,
            state: reports[peer]?.report.state ?? "unknown")
      }
  }

  private func waitForAnswers(to order: FleetOrder) async {
    let patience = Task {
      try await Task.sleep(for: Self.patience)
      rollCalls[order.number]?.finish()
    }
    await withCheckedContinuation { continuation in
      if rollCalls[order.number] == nil { return continuation.resume() }
      rollCalls[order.number]?.wait(continuation)
    }
    patience.cancel()
  }
}
