internal import Control
internal import PeerClock
internal import Recording
internal import Units

// Hosts without which nothing is to begin.
extension DaemonService {
  /// Refuses where a host that must take part is not there, or has no card; or where one was named
  /// that is known and lost.
  func checkPresence(_ request: ControlRequest) throws(Refusal) {
    if !request.hosts.isEmpty {
      let lost = try members(named: request.hosts).filter { !$0.isHeard }.map(\.label)
      try refuse(absent: lost)
    }
    switch request.requirement {
    case nil: break
    case .all:
      let lost = connected.keys.filter {
        connected[$0] == .disconnected && !hasLeft.contains($0)
      }
      try refuse(absent: lost.map(name(of:)))
    case .count(let count):
      let present = presentWithCard()
      guard present.count < count else { return }
      throw Refusal(
        reason: "\(count) hosts with a card are required, and \(present.count) "
          + "\(present.count == 1 ? "is" : "are") there"
          + (present.isEmpty ? "" : ": \(present.map(\.label).joined(separator: ", "))")
          + "; nothing was begun", exitCode: .noPeers)
    case .named(let names):
      let found = try members(named: names)
      try refuse(absent: found.filter { !$0.isHeard }.map(\.label))
      try refuse(found.filter { !hasCard($0) }.map { "\($0.label) has no card" })
    }
  }

  /// Refuses where a host that must take part could not be armed; `failures` are the answers of
  /// those that could not.
  func checkArmed(_ request: ControlRequest, failures: [HostAnswer]) throws(Refusal) {
    let failed = Set(failures.map(\.peer))
    let missing: [HostAnswer]
    switch request.requirement {
    case nil: return
    case .all: missing = failures
    case .named(let names):
      missing = failures.filter { host in
        names.contains { Self.matches($0, host.peer, host.label) }
      }
    case .count(let count):
      let left = presentWithCard().filter { !failed.contains($0.peer) }.count
      missing = left < count ? failures : []
    }
    try refuse(missing.map { "\($0.label) is not armed: \($0.reason ?? "it did not answer")" })
  }

  /// The hosts that were named and are not heard, by label; a refusal where none of those named is.
  /// Whoever stops some of which one is gone wants the others stopped.
  func absent(
    _ request: ControlRequest, among members: [Member]
  ) throws(Refusal) -> [String]? {
    guard !request.hosts.isEmpty else { return nil }
    let lost = members.filter { !$0.isHeard }.map(\.label)
    if lost.count == members.count { try refuse(absent: lost, otherwise: "nothing was done") }
    return lost.isEmpty ? nil : lost
  }

  private func presentWithCard() -> [Member] {
    var all = [Member(peer: me, label: label, isHeard: true)]
    for (peer, state) in connected where state != .disconnected {
      all.append(Member(peer: peer, label: name(of: peer), isHeard: true))
    }
    return all.filter(hasCard).sorted { ($0.label, $0.peer) < ($1.label, $1.peer) }
  }

  private func hasCard(_ member: Member) -> Bool {
    member.peer == me ? engine != nil : reports[member.peer]?.report.input != nil
  }

  private func refuse(
    absent labels: [String], otherwise: String = "nothing was begun"
  ) throws(Refusal) {
    guard !labels.isEmpty else { return }
    let names = labels.sorted().joined(separator: ", ")
    throw Refusal(
      reason: "\(names) \(labels.count == 1 ? "is" : "are") not heard; \(otherwise); look at "
        + "power and network, or name the others with --host", exitCode: .noPeers)
  }

  private func refuse(_ reasons: [String]) throws(Refusal) {
    guard !reasons.isEmpty else { return }
    throw Refusal(
      reason: reasons.joined(separator: "; ") + "; nothing was begun", exitCode: .failed)
  }
}
