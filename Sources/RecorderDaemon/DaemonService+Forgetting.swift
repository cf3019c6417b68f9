internal import CaptureEngine
internal import Control
internal import HostClock
internal import PeerClock
internal import Recording
internal import Units

// Hosts that do not come back.
extension DaemonService {
  /// After what time a host that is not heard is known no longer; one that was ended by its user
  /// sooner.
  static let lostMemory = Duration.seconds(86_400)
  static let leftMemory = Duration.seconds(600)

  /// Has all hosts that are heard know one no longer that is not.
  func forget(_ request: ControlRequest) async throws(Refusal) -> OrderReport {
    let peer = try lostPeer(named: request.hosts.first ?? "")
    var report = OrderReport(verb: .forget)
    report.notes = ["\(name(of: peer)) is known again as soon as it is heard"]
    let silent = connected.keys.filter { other in
      other != peer && connected[other] == .disconnected && !hasLeft.contains(other)
    }
    if !silent.isEmpty {
      let names = silent.map(self.name(of:)).sorted().joined(separator: ", ")
      report.notes.append(
        "\(names) \(silent.count == 1 ? "is" : "are") not heard, and will be told as soon as heard")
    }
    let members = try members(named: []).filter { $0.peer != peer && $0.isHeard }
    let answers = await callRoll(.forget(peer), of: members)
    // Before there is shared time this host is told by itself.
    report.hosts = answers.isEmpty ? [forgetting(peer)] : answers
    return report
  }

  private func lostPeer(named name: String) throws(Refusal) -> PeerID {
    if Self.matches(name, me, label) {
      throw Refusal(
        reason: "\(label) is this host itself; others forget it once its daemon has ended: "
          + "recorder forget, there", exitCode: .wrongState)
    }
    let found = connected.keys.filter { Self.matches(name, $0, self.name(of: $0)) }.sorted()
    guard let peer = found.first else {
      let lost = connected.keys.filter { connected[$0] == .disconnected }.map(self.name(of:))
      throw Refusal(
        reason: "no host named \"\(name)\" is known; not heard are "
          + (lost.isEmpty ? "none" : lost.sorted().joined(separator: ", ")), exitCode: .noPeers)
    }
    guard found.count == 1 else {
      throw Refusal(
        reason: "\(found.count) hosts are called \"\(name)\"; name one by its id: "
          + found.map { String($0.description.prefix(8)) }.joined(separator: ", "),
        exitCode: .usage)
    }
    guard connected[peer] == .disconnected else {
      throw Refusal(
        reason: "\(self.name(of: peer)) is heard; only a host that is not heard any more is "
          + "forgotten; end its daemon first", exitCode: .wrongState)
    }
    return peer
  }

  /// Does it here; a host that is heard here is not forgotten.
  func forgetting(_ peer: PeerID) -> HostAnswer {
    var answer = HostAnswer(
      peer: me, label: label, outcome: .done, state: engine?.snapshot.state.word ?? "idle")
    if let state = connected[peer], state != .disconnected {
      answer.outcome = .refused
      answer.reason = "it hears \(name(of: peer))"
      answer.isWrongState = true
    } else {
      forgotten.add(.init(peer: peer, unixNs: civilNow()), now: civilNow())
      drop(peer)
    }
    return answer
  }

  /// Another host was told to forget some: so does this one, which may not have been heard then.
  func learn(_ theirs: [ForgottenHosts.Entry]) async {
    let now = civilNow()
    for entry in theirs.prefix(ForgottenHosts.most) where entry.peer != me {
      forgotten.add(entry, now: now)
    }
    let host = hostClock.now()
    let dropped = lostSince.filter { peer, since in
      forgotten.isForgotten(peer, lostSince: now - (host - since).wholeNanoseconds)
    }
    guard !dropped.isEmpty else { return }
    for peer in dropped.keys.sorted() { drop(peer) }
    await watchHealth()
    await publishReport()
  }

  /// Knows those no longer that have been gone for long.
  func forgetLongLost() {
    let now = hostClock.now()
    for (peer, since) in lostSince {
      let memory = hasLeft.contains(peer) ? Self.leftMemory : Self.lostMemory
      if now - since >= memory { drop(peer) }
    }
  }

  private func drop(_ peer: PeerID) {
    connected[peer] = nil
    lostSince[peer] = nil
    reports[peer] = nil
    labels[peer] = nil
    hasLeft.remove(peer)
  }
}
