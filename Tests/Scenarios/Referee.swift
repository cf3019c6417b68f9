internal import PeerCore
internal import Simulation
internal import Units

/// Watches a fleet, and says what in it was ever broken: the same rules for all scenarios.
///
/// 1. Displayed time is strictly monotone within a map generation, and bends by 500 ppm at most.
/// 2. The true error is within the bound always, on symmetric paths within the jitter bound in 99 of
///    100 readings, and within the scenario's budget once all is settled.
/// 3. From 3 s after the last change there is one coordinator in each connected component, whom
///    all its members name, and all of them have shared time.
/// 4. Nobody obeys a lower term after a higher.
/// 5. No host changes its session while it is armed or rolling.
/// 6. No command has its effect twice.
/// 7. From 5 s after the last change all members of a component know the same takes, and the same
///    of one another.
/// 8. What a host knows of a take only becomes what the merge rule makes of it, and of what somebody
///    ordered: nothing stops a take but a stop.
/// 9. From 5 s after the last change no two hosts that hear each other bear one id, unless both are
///    busy. While two in a component do, 3 and 7 say nothing of it.
final class Referee {
  /// How long after the last change everything is in order again.
  static let patience = Duration.seconds(3)
  /// After how long all agree on what was said before.
  static let agreementPatience = Duration.seconds(5)

  let fleet: Fleet
  let budget: Budget
  /// What was broken: the first of each kind.
  private(set) var violations: [String] = []
  private var kinds: [String: Int] = [:]

  /// The largest error when all was settled, and the largest drift, in nanoseconds.
  var worst: Int64 = 0
  var drift: Int64 = 0
  var worstRatio = 0.0
  var readings = 0
  var readingsWithinJitter = 0

  /// Who wants to hear what happens.
  var narrator: ((String) -> Void)?
  /// When somebody last commanded a take.
  var lastTake = Duration.zero
  var lines = Timelines()
  var records: [Int: Record] = [:]
  private var commands: Set<Executed> = []
  /// When each take was ordered to begin, and to end.
  private var orders: [TakeID: (t0: Set<SharedInstant>, t1: Set<SharedInstant>)] = [:]

  /// What was seen of a host.
  struct Record {
    var run: Incarnation
    var highestTerm: Term?
    var session: SessionID?
    var activity = Activity.idle
    var shown: Shown?
    var takes: [TakeID: TakeState] = [:]
  }

  /// A reading of a displayed clock.
  struct Shown {
    let generation: UInt32
    let value: SharedInstant
    let host: HostInstant
  }

  private struct Executed: Hashable {
    let host: Int
    let sender: PeerID
    let command: CommandID
  }

  init(fleet: Fleet, budget: Budget) {
    self.fleet = fleet
    self.budget = budget
    fleet.observe { [unowned self] host, action in see(action, at: host) }
  }

  /// Looks at all hosts at uneven times, `interval` seconds apart in the mean.
  func watch(every interval: Double) {
    let pause = interval * (0.5 + fleet.world.random())
    fleet.world.schedule(at: fleet.world.now + .nanoseconds(Int64(pause * 1e9))) { [unowned self] in
      look()
      watch(every: interval)
    }
  }

  /// Takes note of what was broken; of each kind once, with the time.
  func report(_ kind: String, _ text: String) {
    kinds[kind, default: 0] += 1
    narrate("BROKEN \(kind): \(text)")
    guard kinds[kind] == 1 else { return }
    let time = (fleet.world.now.inSeconds * 1000).rounded() / 1000
    violations.append("at \(time) s, \(kind): \(text)")
  }

  /// Judges what only the whole shows.
  func conclude() {
    if let limit = budget.driftMicroseconds, Double(drift) > limit * 1e3 {
      report("drift", "the timeline came \(Double(drift) / 1e3) us off, not \(limit) us at most")
    }
  }

  /// Looks at all hosts now.
  func look() {
    lines.update(from: fleet)
    for host in fleet.hosts where host.isAwake {
      inspect(host)
      inspectTakes(of: host)
      measure(host)
    }
    let since = fleet.world.now - fleet.lastChange
    if since > Self.patience { inspectComponents(settled: since > Self.agreementPatience) }
  }

  /// Somebody orders a take now.
  func note(order take: TakeState) {
    lastTake = fleet.world.now
    orders[take.id, default: ([], [])].t0.insert(take.t0)
    if let t1 = take.t1 { orders[take.id]?.t1.insert(t1) }
  }

  /// Whether a take is to begin and to end as somebody ordered.
  func ordered(_ take: TakeState) -> Bool {
    guard let known = orders[take.id], known.t0.contains(take.t0) else { return false }
    return take.t1.map { known.t1.contains($0) } ?? true
  }

  /// Tells the narrator, with the time.
  func narrate(_ text: @autoclosure () -> String) {
    guard let narrator else { return }
    narrator("\(fleet.world.now.inSeconds) \(text())")
  }

  private func see(_ action: PeerAction, at host: SimulatedHost) {
    narrate(action, at: host)
    switch action {
    case .deliver(let command, let sender):
      let executed = Executed(host: host.number, sender: sender, command: command.id)
      if !commands.insert(executed).inserted {
        report("command", "host \(host.number) ran \(command.id.sequence) of \(sender.short) twice")
      }
    case .coordinatorChanged:
      // Where hosts meet they may pass on within milliseconds.
      lines.update(from: fleet)
      _ = lines.truth(for: host, at: fleet.world.now)
      inspect(host)
    case .sessionChanged, .exchange: inspect(host)
    case .take: inspectTakes(of: host)
    default: break
    }
  }

  private func narrate(_ action: PeerAction, at host: SimulatedHost) {
    guard narrator != nil else { return }
    switch action {
    case .coordinatorChanged(let peer):
      let term = host.node?.term?.counter ?? 0
      narrate("host \(host.number): coordinator \(peer?.description ?? "none"), term \(term)")
    case .sessionChanged(let session, let generation):
      narrate("host \(host.number): session \(session.id.short), generation \(generation)")
    case .note(let note): narrate("host \(host.number): \(note)")
    case .connection(let peer, let liveness):
      narrate("host \(host.number): \(peer) \(liveness)")
    case .exchange(_, let peer):
      let map = host.node?.clockMap
      let bound = map.map { "\($0.boundNanoseconds(at: host.clock)) ns" } ?? "void"
      let session = map?.session.short ?? "none"
      let rate =
        host.node?.time.estimate.map { "\($0.skew), growing by \($0.boundGrowth)" } ?? "none"
      narrate(
        "host \(host.number): exchange with \(peer.short), \(session), bound \(bound), rate \(rate)"
      )
    default: break
    }
  }
}
