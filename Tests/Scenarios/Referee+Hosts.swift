internal import PeerCore
internal import Simulation
internal import Units

// What must hold of each host by itself.
extension Referee {
  /// Holds a host against what was seen of it before.
  func inspect(_ host: SimulatedHost) {
    guard let run = host.look({ $0.configuration.incarnation }) else { return }
    var record = records[host.number] ?? Record(run: run)
    if record.run != run { record = Record(run: run) }
    host.look { node in
      inspectTerm(of: node, host.number, record: &record)
      inspectSession(of: node, host.number, record: &record)
    }
    inspectDisplay(of: host, record: &record)
    records[host.number] = record
  }

  /// Holds what a host knows of takes against what it knew before.
  func inspectTakes(of host: SimulatedHost) {
    guard var record = records[host.number], let takes = host.look({ $0.takes }),
      record.run == host.look({ $0.configuration.incarnation })
    else { return }
    inspect(takes, of: host.number, record: &record)
    records[host.number] = record
  }

  private func inspectTerm(of node: PeerNode, _ number: Int, record: inout Record) {
    guard let term = node.term else { return }
    if let highest = record.highestTerm, term < highest {
      report("term", "host \(number) obeys \(term.counter) after \(highest.counter)")
    }
    record.highestTerm = max(record.highestTerm ?? term, term)
  }

  private func inspectSession(of node: PeerNode, _ number: Int, record: inout Record) {
    let session = node.session?.id
    if let before = record.session, session != before, record.activity != .idle,
      node.activity != .idle
    {
      report("session", "host \(number) changed its session while \(node.activity)")
    }
    record.session = session
    record.activity = node.activity
  }

  /// What a host once knows of a take only the merge rule changes: it begins earlier, is stopped, ends
  /// later. Nothing else stops it, and nothing starts it again.
  private func inspect(_ takes: [TakeState], of number: Int, record: inout Record) {
    var seen: [TakeID: TakeState] = [:]
    for take in takes {
      seen[take.id] = take
      if !ordered(take) {
        report("order", "host \(number) holds take \(take.number) for what nobody ordered: \(take)")
      }
      guard let before = record.takes[take.id], before.session == take.session,
        before.merged(with: take) != take
      else { continue }
      report("take", "host \(number) has made of \(before) what it may not: \(take)")
    }
    record.takes = seen
  }

  private func inspectDisplay(of host: SimulatedHost, record: inout Record) {
    guard let generation = host.look({ $0.clockMap?.generation }) ?? nil else {
      record.shown = nil
      return
    }
    let now = host.clock
    // What users read, and what the clock would show had nobody ever read it.
    guard let value = host.displayed(),
      let plain = host.look({ $0.time.clock.reading(at: now) }) ?? nil
    else { return }
    if let before = record.shown, before.generation == generation, before.host < now {
      if value <= before.value {
        report("monotone", "host \(host.number) showed the same time twice, or an earlier one")
      }
      let passed = Double(now.nanoseconds - before.host.nanoseconds)
      let shown = Double(plain.nanoseconds - before.value.nanoseconds)
      // The fastest slew, and the largest rate between two crystals that is believed.
      if abs(shown - passed) > 1050e-6 * passed + 3 {
        report(
          "step", "host \(host.number) showed \(Int64(shown)) ns while \(Int64(passed)) ns passed")
      }
    }
    record.shown = Shown(generation: generation, value: value, host: now)
  }

  /// Whether the coordinator that a host obeys lives in its session: one that keeps its own beside it,
  /// to the end of a take, holds over, or goes by its wall clock, and has its bound for that.
  private func canMeasure(_ coordinator: PeerID?, _ session: SessionID?) -> Bool {
    let leader = fleet.hosts.first { $0.peer == coordinator }
    return (leader?.look { $0.session?.id } ?? nil) == session
  }

  /// Measures a host's shared time against the line that it rests on.
  func measure(_ host: SimulatedHost) {
    guard let node = host.look({ (map: $0.clockMap, term: $0.term, coordinator: $0.coordinator) }),
      let map = node.map, node.coordinator != host.peer,
      let truth = lines.truth(for: host, at: fleet.world.now)
    else { return }
    let now = host.clock
    let reading = map.shared(at: now)
    let errors = truth.map { reading.nanoseconds - $0.nanoseconds }
    let error = errors.map { abs($0) }.min() ?? 0
    readings += 1
    if error <= map.jitterBoundNanoseconds(at: now) { readingsWithinJitter += 1 }
    let bound = map.boundNanoseconds(at: now)
    worstRatio = max(worstRatio, Double(error) / Double(max(bound, 1)))
    if error > bound {
      let term = node.term.map { "\($0.peer.high >> 48)#\($0.counter)" } ?? "nobody"
      report(
        "bound",
        "host \(host.number), which obeys \(term), is \(error) ns off (its lines: \(errors)) and "
          + "claims \(bound) ns")
    }
    let settled = fleet.lastChange + .nanoseconds(Int64(budget.settlesIn * 1e9))
    guard fleet.world.now > settled,
      canMeasure(node.coordinator, host.look { $0.session?.id } ?? nil)
    else { return }
    worst = max(worst, error)
    if Double(error) > budget.microseconds * 1e3 {
      report(
        "budget", "host \(host.number) is \(error) ns off, budget \(budget.microseconds) us")
    }
  }
}
