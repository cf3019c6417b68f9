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

    var isGuess: Bool { TimeGrade(map, at: map.hostAnchor) == .guess }

    func reading(at now: Duration) -> SharedInstant {
      map.shared(at: clocks.host(atTrueNanoseconds: now.wholeNanoseconds))
    }
  }

  /// A term, and which run of its peer holds it: a host and its copy may hold the same.
  private struct Office: Hashable {
    let term: Term
    let run: Incarnation
  }

  /// The line of the coordinator that a host obeys, and those that it rested on lately, with the
  /// times at which it left them.
  private struct Rest {
    var line: Line
    var office: Office
    var before: [(line: Line, left: Duration)] = []
    /// When it was last seen to obey the coordinator of `line`.
    var seen = Duration.zero

    mutating func pass(to line: Line, of office: Office, at now: Duration) {
      if self.office != office { before.append((self.line, now)) }
      self.line = line
      self.office = office
      seen = now
      before = before.filter { counts($0.left, at: now) }
    }

    /// Whether a line that was left then counts still. While the coordinator only guesses, whoever
    /// knew the time better keeps to what it knew.
    func counts(_ left: Duration, at now: Duration) -> Bool {
      line.isGuess || now < left + Timelines.handover
    }
  }

  private var lines: [Office: Line] = [:]
  /// Who was seen last in the office of each term.
  private var lastOffice: [Term: Office] = [:]
  private var first: [SessionID: Line] = [:]
  private var rests: [Int: Rest] = [:]

  /// Takes note of the lines of all that lead now.
  mutating func update(from fleet: Fleet) {
    for host in fleet.hosts where host.isAwake {
      guard let node = host.node, node.coordinator == host.peer, let term = node.term,
        let map = node.clockMap
      else { continue }
      let line = Line(map: map, clocks: host.clocks)
      let office = Office(term: term, run: node.configuration.incarnation)
      lines[office] = line
      lastOffice[term] = office
      if first[map.session] == nil { first[map.session] = line }
      pass(host.number, to: line, of: office, at: fleet.world.now)
    }
  }

  private mutating func pass(_ host: Int, to line: Line, of office: Office, at now: Duration) {
    rests[host, default: Rest(line: line, office: office)].pass(to: line, of: office, at: now)
  }

  /// The office that a node obeys, and its line: of that run of the coordinator which it knows, or of
  /// the one before that, where the coordinator has begun anew and does not lead yet.
  private func obeyed(by node: PeerNode) -> (office: Office, line: Line)? {
    guard let term = node.term, let coordinator = node.coordinator else { return nil }
    let run = node.run(of: coordinator).map { Office(term: term, run: $0.incarnation) }
    guard let office = run.flatMap({ lines[$0] == nil ? nil : $0 }) ?? lastOffice[term],
      let line = lines[office]
    else { return nil }
    return (office, line)
  }

  /// Takes note of whom a host obeys now; what shared time truly is for it: some answers while it
  /// passes from one coordinator to another, none as long as nothing is known of its coordinator.
  mutating func truth(for host: SimulatedHost, at now: Duration) -> [SharedInstant]? {
    guard let node = host.node, let session = node.session?.id else { return nil }
    // Who holds over stays on its line, be it that the same coordinator has begun another.
    if let (office, line) = obeyed(by: node), line.map.session == session {
      pass(host.number, to: line, of: office, at: now)
    }
    guard let rest = rests[host.number], rest.line.map.session == session else { return nil }
    // Whoever came to hold over, or crashed, while it still rested on the line before, goes on with it.
    let instant = node.coordinator == nil ? rest.seen : now
    let before = rest.before.filter {
      rest.counts($0.left, at: instant) && $0.line.map.session == session
    }
    return ([rest.line] + before.map(\.line)).map { $0.reading(at: now) }
  }

  /// How far the line that leads a session now is from the one that it began with, in nanoseconds.
  func drift(of node: PeerNode, at now: Duration) -> Int64 {
    guard let line = obeyed(by: node)?.line, let first = first[line.map.session]
    else { return 0 }
    return abs(line.reading(at: now).nanoseconds - first.reading(at: now).nanoseconds)
  }
}
