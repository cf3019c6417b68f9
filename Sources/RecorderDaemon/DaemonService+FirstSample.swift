internal import CaptureEngine
internal import Control
internal import HostClock
internal import PeerClock
internal import Recording
internal import Units

// Where a take begins on each host, as soon as that is known.
extension DaemonService {
  /// T0 that lies further ahead is not waited for.
  static let nearStart = Duration.seconds(3)
  /// How long after T0 a host may take to say where its file begins.
  static let firstSamplePatience = Duration.seconds(2)

  /// The answers to a start with the first sample of each host's file, where T0 is near.
  func withFirstSamples(
    _ answers: [HostAnswer], of take: TakeID, t0: SharedInstant
  ) async -> [HostAnswer] {
    guard let map = clock.map, t0 - map.shared(at: hostClock.now()) < Self.nearStart else {
      return answers
    }
    let deadline = max(map.host(at: t0), hostClock.now()) + Self.firstSamplePatience
    var answers = answers
    while true {
      for place in answers.indices where isAwaited(answers[place]) {
        guard let found = firstSample(of: answers[place].peer, take: take) else { continue }
        answers[place].state = "rolling"
        answers[place].firstSample = found
      }
      let isComplete = answers.allSatisfy { !isAwaited($0) }
      guard !isComplete, hostClock.now() < deadline else { return answers }
      do {
        try await Task.sleep(for: .milliseconds(20))
      } catch {
        return answers
      }
    }
  }

  private func isAwaited(_ answer: HostAnswer) -> Bool {
    answer.outcome == .done && answer.otherTake == nil && answer.firstSample == nil
  }

  private func firstSample(of peer: PeerID, take: TakeID) -> HostReport.FirstSample? {
    if peer == me {
      let snapshot = engine?.snapshot
      guard let snapshot, case .rolling(let plan, _, _) = snapshot.state, plan.id == take else {
        return nil
      }
      return snapshot.firstSample
    }
    guard let report = reports[peer]?.report, report.state == "rolling", report.take?.id == take
    else { return nil }
    return report.firstSample
  }
}
