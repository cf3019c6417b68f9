internal import Sealing
public import Units

extension PeerNode {
  /// The most probes that are sent in one turn, should the host have slept.
  static let mostProbesATurn = 4

  /// Brings everything up to `now`.
  public mutating func advance(to now: HostInstant) -> [PeerAction] {
    lastNow = max(lastNow, now)
    var actions: [PeerAction] = []
    if let greeting { actions.append(.note(greeting)) }
    greeting = nil
    actions += askForSystemTime(at: now)
    if beacons.takeDue(at: now) { actions += sendBeacon(at: now) }
    actions += proof.advance(to: now).flatMap { send($0) }
    if election.advance(to: now) { actions += assumeRole(at: now) }
    tellWhetherCoordinatorIsHeard(at: now)
    tendTime(at: now)
    election.candidacy.grade = TimeGrade(clockMap, at: now)
    actions += heartbeat.advance(to: now).flatMap { carryOut($0, at: now) }
    actions += probe(at: now)
    actions += tendPaths(at: now)
    actions += dialDue(at: now)
    actions += board.push(at: now).map { .sendReliable($0.peer, .status($0.message)) }
    actions += followSharedTime(at: now)
    if nextPersist <= now { actions += persist(at: now) + forgetLost(at: now) }
    return actions
  }

  /// Says at once when the coordinator is heard again, and insists on it when it is not: as long as
  /// one host seems to hear it nobody succeeds, and one lost heartbeat would cost half a second.
  private mutating func tellWhetherCoordinatorIsHeard(at now: HostInstant) {
    let isHeard = election.hearsCoordinator(at: now)
    guard isHeard != heardCoordinator else { return }
    if isHeard { heartbeat.hasten(at: now) } else { heartbeat.insist(Self.announcements, at: now) }
  }

  /// Sends the probes that are due.
  mutating func probe(at now: HostInstant) -> [PeerAction] {
    var actions: [PeerAction] = []
    for _ in 0..<Self.mostProbesATurn {
      let token = SendToken(value: lastToken + 1)
      let jitter = Double(generator.next() >> 11) * 0x1p-53
      guard let due = prober.takeDue(at: now, token: token.value, jitter: jitter) else { break }
      lastToken += 1
      guard let path = peersByID[due.peer]?.path else { continue }
      actions.append(unicast(.probe(due.probe), to: path, token: token))
    }
    return actions
  }

  private mutating func followSharedTime(at now: HostInstant) -> [PeerAction] {
    guard agenda.next != nil || desk.nextExpiry != nil,
      let shown = time.clock.reading(at: now)
    else { return [] }
    return agenda.due(at: shown).map { .fire($0) }
      + desk.expire(at: shown).map(action(for:))
  }
}
