internal import CaptureEngine
internal import Control
internal import PeerClock
internal import Recording
internal import Units

// Who is told, and who has answered.
extension DaemonService {
  /// A host that an order is for.
  struct Member: Hashable {
    let peer: PeerID
    let label: String
    /// Whether it can be told at all.
    let isHeard: Bool
  }

  /// The hosts by their labels, or by the beginnings of their ids; all where none are named. Those
  /// that were lost in the middle of something belong to all, so that they are called missing.
  func members(named names: [String]) throws(Refusal) -> [Member] {
    var all = [Member(peer: me, label: label, isHeard: true)]
    for (peer, state) in connected {
      let isHeard = state != .disconnected
      // One that its user has ended has closed its files.
      let isBusy =
        !hasLeft.contains(peer) && reports[peer].map { $0.report.state != "idle" } ?? false
      guard isHeard || isBusy else { continue }
      all.append(Member(peer: peer, label: name(of: peer), isHeard: isHeard))
    }
    all.sort { ($0.label, $0.peer) < ($1.label, $1.peer) }
    guard !names.isEmpty else { return all }
    let names = names.map { name in presentName(of: name, among: all) }
    for name in names where !all.contains(where: { Self.matches(name, $0.peer, $0.label) }) {
      let known = all.map(\.label).joined(separator: ", ")
      throw Refusal(
        reason: "no host named \"\(name)\" is heard; there are \(known)", exitCode: .noPeers)
    }
    return all.filter { member in
      names.contains { Self.matches($0, member.peer, member.label) }
    }
  }

  /// What a host is called now that was called `name` before; `name` where a host still is.
  private func presentName(of name: String, among all: [Member]) -> String {
    guard !all.contains(where: { Self.matches(name, $0.peer, $0.label) }) else { return name }
    if formerLabels.contains(name) { return label }
    let found = all.filter { reports[$0.peer]?.report.formerLabels?.contains(name) ?? false }
    return found.count == 1 ? found[0].label : name
  }

  /// A name is a label, or four digits or more of an id.
  static func matches(_ name: String, _ peer: PeerID, _ label: String) -> Bool {
    name == label || (name.count >= 4 && peer.description.hasPrefix(name.lowercased()))
  }

  /// Whether the member has a card that is not open.
  func isIdleCard(_ member: Member) -> Bool {
    if member.peer == me { return engine?.snapshot.state == .idle }
    let report = reports[member.peer]?.report
    return member.isHeard && report?.state == "idle" && report?.input != nil
  }

  /// Tells the hosts, does it here, and gathers the answers, in the order of the members.
  func callRoll(_ action: FleetOrder.Action, of members: [Member]) async -> [HostAnswer] {
    guard let session = clock.session?.id, rollCalls.count < Self.mostRollCalls else { return [] }
    let order = FleetOrder(number: newOrderNumber(), session: session, action: action)
    let others = members.filter { $0.peer != me && $0.isHeard }
    rollCalls[order.number] = RollCall(peers: Set(others.map(\.peer)))
    await tell(order, to: others)
    var own: HostAnswer?
    if members.contains(where: { $0.peer == me }) { own = await carryOut(order) }
    await waitForAnswers(to: order)
    let answers = rollCalls.removeValue(forKey: order.number)?.answers ?? [:]
    return members.map { member in
      if member.peer == me, let own { return own }
      return answers[member.peer]
        ?? HostAnswer(
          peer: member.peer, label: member.label, outcome: .missing,
          state: reports[member.peer]?.report.state ?? "unknown")
    }
  }

  private func tell(_ order: FleetOrder, to members: [Member]) async {
    let expires = clock.sharedNow.map { $0 + Self.expiry }
    let command = Command(
      type: FleetOrder.type, payload: FleetCoding.encode(order), expires: expires)
    for member in members {
      do {
        try await clock.send(command, to: member.peer)
      } catch {
        say("could not tell \(member.label): \(error)")
      }
    }
  }

  private func waitForAnswers(to order: FleetOrder) async {
    let patience = Task {
      try await Task.sleep(for: Self.patience(of: order.action))
      rollCalls[order.number]?.finish()
    }
    await withCheckedContinuation { continuation in
      if rollCalls[order.number] == nil { return continuation.resume() }
      rollCalls[order.number]?.wait(continuation)
    }
    patience.cancel()
  }

  /// Cards may be slow to open, and disks to close a take's files.
  private static func patience(of action: FleetOrder.Action) -> Duration {
    switch action {
    case .arm, .disarm: .seconds(6)
    case .remark, .countFiles: closingPatience
    // A day of 64 channels is long to read.
    case .listFiles, .digest: .seconds(600)
    case .start, .renewSession, .slate, .mark, .listTakes, .forget: patience
    case .stop: closingPatience + .seconds(1)
    }
  }
}
