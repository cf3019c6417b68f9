internal import PeerCore
internal import Simulation
internal import Units

/// The truth about shared time: what each coordinator's clock and map make of it, carried on by its
/// crystal when it is dead, and which of these lines each host rests on.
struct Timelines {
  /// For so long after it began to obey another coordinator a host may still rest on the line
  /// before: it has to measure the new one's clock first.
  static let handover = Duration.seconds(1)

  /// A coordinator's clock, and its map to shared time.
  struct Line {
    let map: ClockMap
    let clocks: HostClocks

    func reading(at now: Duration) -> SharedInstant {
      map.shared(at: clocks.host(atTrueNanoseconds: now.wholeNanoseconds))
    }
  }

  private struct Rest {
    var line: Line
    var term: Term?
    var before: Line?
    var since: Duration
  }

  private var byTerm: [Term: Line] = [:]
  private var first: [SessionID: Line] = [:]
  private var rests: [Int: Rest] = [:]

  /// Takes note of the lines of all that lead now.
  mutating func update(from fleet: Fleet) {
    for host in fleet.hosts where host.isAwake {
      guard let node = host.node, node.coordinator == host.peer, let term = node.term,
        let map = node.clockMap
      else { continue }
      let line = Line(map: map, clocks: host.clocks)
      byTerm[term] = line
      if first[map.session] == nil { first[map.session] = line }
      rests[host.number] = Rest(line: line, term: term, before: nil, since: fleet.world.now)
    }
  }

  /// What shared time truly is for a host; two answers while it passes from one coordinator to
  /// another, none as long as nothing is known of its coordinator.
  mutating func truth(for host: SimulatedHost, at now: Duration) -> [SharedInstant]? {
    guard let node = host.node, let session = node.session?.id else { return nil }
    if let term = node.term, let line = byTerm[term], line.map.session == session {
      var rest = rests[host.number] ?? Rest(line: line, term: term, before: nil, since: now)
      if rest.term != term {
        rest.before = rest.line.map.session == session ? rest.line : nil
        rest.since = now
        rest.term = term
      }
      rest.line = line
      rests[host.number] = rest
    }
    guard let rest = rests[host.number], rest.line.map.session == session else { return nil }
    let isPassing = now < rest.since + Self.handover
    return [rest.line, isPassing ? rest.before : nil].compactMap { $0?.reading(at: now) }
  }

  /// How far the line that leads a session now is from the one that it began with, in nanoseconds.
  func drift(of node: PeerNode, at now: Duration) -> Int64 {
    guard let term = node.term, let line = byTerm[term], let first = first[line.map.session]
    else { return 0 }
    return abs(line.reading(at: now).nanoseconds - first.reading(at: now).nanoseconds)
  }
}
