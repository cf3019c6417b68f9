internal import CaptureEngine
internal import Control
internal import HostClock
internal import PeerClock
internal import Recording
internal import Units

// The session: the timeline that all hosts share.
extension DaemonService {
  /// How long the group is waited for until it is in the new session.
  static let adoption = Duration.seconds(5)
  /// A session is renewed by `arm` when it is older than this.
  static let longestSession = Duration.seconds(86_400)

  /// Has the group go on in a new session, and returns once all that are heard are in it, or the
  /// time for it is over.
  func renewSession() async throws(Refusal) -> ClockReport {
    guard let old = clock.session?.id, let coordinator = clock.coordinator else {
      throw Refusal(
        reason: "this host has no shared time yet; wait a moment and try again", exitCode: .failed)
    }
    if let busy = busyHost {
      throw Refusal(
        reason: "\(busy) is armed or rolling; a session is renewed when all are idle; run: "
          + "recorder disarm", exitCode: .wrongState)
    }
    let isHeard = coordinator == me || connected[coordinator] != .disconnected
    let keeper = Member(peer: coordinator, label: name(of: coordinator), isHeard: isHeard)
    let answer = await callRoll(.renewSession, of: [keeper]).first
    guard let answer, answer.outcome == .done else {
      throw Refusal(
        reason: answer?.reason
          ?? "\(keeper.label), which keeps the time, did not answer; try again",
        exitCode: answer?.outcome == .refused ? .wrongState : .timeout)
    }
    await waitForAdoption(of: old)
    return await clockReport()
  }

  /// Does it here, where this host keeps the time.
  func renewSession(as order: FleetOrder) async -> HostAnswer {
    var answer = HostAnswer(
      peer: me, label: label, outcome: .done, state: engine?.snapshot.state.word ?? "idle")
    do {
      guard order.session == clock.session?.id else {
        // Somebody else was faster, and one new session is enough.
        return answer
      }
      try await clock.renewSession()
    } catch {
      answer.outcome = .refused
      answer.reason = error.description
      answer.isWrongState = true
    }
    return answer
  }

  /// Renews a session that is of another date or a day old, where all hosts are idle; what people
  /// are to know of it.
  func renewSessionIfOld() async throws(Refusal) -> String? {
    guard let session = clock.session, let now = clock.pair?.shared, busyHost == nil,
      await !clock.diagnostics().isOnSystemTime
    else { return nil }
    let isOld = now - session.anchor > Self.longestSession
    guard isOld || Self.day(of: now, in: session) != Self.day(of: session.anchor, in: session)
    else { return nil }
    _ = try await renewSession()
    return "a new session: the old one was of \(isOld ? "over a day ago" : "another date")"
  }

  private static func day(of instant: SharedInstant, in session: Session) -> Int64 {
    let local =
      session.unixNanoseconds(at: instant) / 1_000_000_000 + Int64(session.utcOffsetSeconds)
    return local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
  }

  /// A host that is armed or rolling, by its label.
  private var busyHost: String? {
    if let engine, engine.snapshot.state != .idle { return label }
    return reports.keys.sorted().first { peer in
      connected[peer] != .disconnected && reports[peer]?.report.state != "idle"
    }.map(name(of:))
  }

  private func waitForAdoption(of old: SessionID) async {
    let deadline = hostClock.now() + Self.adoption
    while hostClock.now() < deadline {
      let isHere = clock.session.map { $0.id != old } ?? false && clock.map != nil
      let isThere = reports.allSatisfy { peer, entry in
        connected[peer] == .disconnected || entry.report.sync.session == clock.session?.id
      }
      if isHere && isThere { return }
      do {
        try await Task.sleep(for: .milliseconds(20))
      } catch {
        return
      }
    }
  }
}
