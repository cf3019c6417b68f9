internal import PeerCore
internal import Simulation
internal import Units

// What must hold within each connected component, once the patience has passed.
extension Referee {
  func inspectComponents(settled: Bool) {
    for component in components() where component.count > 1 {
      let twins = twins(in: component)
      if settled { inspect(twins) }
      // Of two that bear one id nobody else can tell which is meant.
      guard twins.isEmpty else { continue }
      inspectCoordinator(of: component)
      inspectTime(of: component)
      if settled { inspectAgreement(in: component) }
    }
  }

  /// The hosts that reach one another, by however many steps.
  private func components() -> [[SimulatedHost]] {
    var left = fleet.hosts.filter(\.isAwake)
    var components: [[SimulatedHost]] = []
    while let start = left.popLast() {
      var component = [start]
      var place = 0
      while place < component.count {
        let host = component[place]
        let near = left.filter { !fleet.isCut(host.number, $0.number) }
        left.removeAll { candidate in near.contains { $0 === candidate } }
        component += near
        place += 1
      }
      components.append(component)
    }
    return components
  }

  /// The pairs of one id.
  private func twins(in component: [SimulatedHost]) -> [(SimulatedHost, SimulatedHost)] {
    let known = Dictionary(grouping: component, by: \.peer)
    guard known.count < component.count else { return [] }
    return known.values.sorted { $0[0].number < $1[0].number }
      .flatMap { same in same.dropFirst().map { (same[0], $0) } }
  }

  /// Two of one id that hear each other part, unless both are busy.
  private func inspect(_ twins: [(SimulatedHost, SimulatedHost)]) {
    for (one, other) in twins where !fleet.isCut(one.number, other.number) {
      guard [one, other].contains(where: { $0.node?.activity == .idle }) else { continue }
      report("twins", "hosts \(one.number) and \(other.number) both are \(one.peer.short) still")
    }
  }

  private func inspectCoordinator(of component: [SimulatedHost]) {
    let leaders = component.filter { $0.node?.coordinator == $0.peer }
    guard leaders.count == 1, let leader = leaders.first else {
      report(
        "coordinator",
        "\(component.count) hosts that reach one another have \(leaders.count) coordinators: "
          + "\(leaders.map(\.number))")
      return
    }
    drift = max(drift, leader.node.map { lines.drift(of: $0, at: fleet.world.now) } ?? 0)
    for host in component
    where host !== leader && !fleet.isCut(host.number, leader.number) {
      guard host.node?.coordinator != leader.peer || host.node?.term != leader.node?.term
      else { continue }
      let name = host.node?.coordinator?.short ?? "nobody"
      report(
        "coordinator", "host \(host.number) obeys \(name) beside host \(leader.number)")
    }
  }

  /// Whoever cannot reach the coordinator cannot measure its clock.
  private func inspectTime(of component: [SimulatedHost]) {
    let leader = component.first { $0.node?.coordinator == $0.peer }?.number
    for host in component where host.node?.clockMap == nil {
      if let leader, fleet.isCut(host.number, leader) { continue }
      report("unsynced", "host \(host.number) has no shared time")
    }
    // Who cannot measure the coordinator's clock cannot read its session, and keeps its own.
    let idle = component.filter { host in
      host.node?.activity == .idle && leader.map { !fleet.isCut(host.number, $0) } ?? true
    }
    let sessions = Set(idle.compactMap { $0.node?.session?.id })
    if sessions.count > 1 {
      report("session", "\(idle.count) idle hosts have \(sessions.count) sessions")
    }
  }

  /// What one host says of itself all others have heard; of the takes of their session all know
  /// the same.
  private func inspectAgreement(in component: [SimulatedHost]) {
    let recent = fleet.world.now - Self.agreementPatience
    let known = component.compactMap { host in
      host.look { node in node.takes.filter { $0.session == node.session?.id } }
    }
    let sessions = Set(component.map { host in host.look { $0.session?.id } ?? nil })
    if lastTake < recent, sessions.count == 1, let first = known.first,
      known.contains(where: { $0 != first })
    {
      report("takes", "\(component.count) hosts that reach one another know different takes")
    }
    for host in component {
      let peer = host.peer
      guard let own = host.look({ $0.status(of: peer)["said"] }) ?? nil,
        let said = Double(String(decoding: own, as: UTF8.self)), said < recent.inSeconds
      else { continue }
      for other in component where other !== host && !fleet.isCut(host.number, other.number) {
        if other.look({ $0.status(of: peer)["said"] }) == own { continue }
        report("agreement", "host \(other.number) knows not what host \(host.number) said")
      }
    }
  }
}
