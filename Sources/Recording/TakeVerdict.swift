/// Judges a host's part of a take.
public struct TakeVerdict: Hashable, Sendable {
  public let verdict: TakeSummary.Verdict
  /// Sentences; none for a whole take.
  public let reasons: [String]

  /// Judges what a host has of a take.
  ///
  /// - Parameters:
  ///   - isComplete: whether the files reach from T0 to T1.
  ///   - isWhole: whether they begin at T0.
  public init(isComplete: Bool, isWhole: Bool, certificate: SyncCertificate) {
    var reasons: [String] = []
    if !isWhole { reasons.append("it begins after T0: the ring did not reach back") }
    if !isComplete && isWhole { reasons.append("it ends before T1: the recording was cut short") }
    if certificate.gaps > 0 {
      reasons.append("\(certificate.lostFrames) frames were lost in \(certificate.gaps) gaps")
    }
    if certificate.steps > 0 {
      reasons.append("shared time may have stepped \(certificate.steps) times")
    }
    self.reasons = reasons
    verdict = !isComplete ? .partial : reasons.isEmpty ? .whole : .flawed
  }
}
