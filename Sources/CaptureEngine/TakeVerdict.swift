internal import Recording
internal import Units

/// Judges a host's part of a take.
struct TakeVerdict {
  let verdict: TakeSummary.Verdict
  /// Sentences; none for a whole take.
  let reasons: [String]

  /// - Parameters:
  ///   - isComplete: whether the files reach from T0 to T1.
  ///   - isWhole: whether they begin at T0.
  init(isComplete: Bool, isWhole: Bool, certificate: SyncCertificate) {
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

extension SyncCertificate {
  /// What a file says of it in its iXML, for programs: `key=value`, separated by blanks.
  func words(t0: SharedInstant, session: Session, host: CaptureHost) -> String {
    var words = [
      "recorder", "session=\(session.id)", "peer=\(host.peer)", "t0_shared_ns=\(t0.nanoseconds)",
    ]
    if let head {
      words.append("head_offset_ns=\(head.offsetNanoseconds)")
      words.append("head_bound_ns=\(head.boundNanoseconds)")
    }
    if let tail {
      words.append("tail_bound_ns=\(tail.boundNanoseconds)")
      words.append("path_limit_ns=\(tail.pathLimitNanoseconds)")
    }
    if let cardPPM { words.append("card_ppm=\(Self.thousandths(cardPPM))") }
    if let skewPPM { words.append("skew_ppm=\(Self.thousandths(skewPPM))") }
    words.append("gaps=\(gaps)")
    words.append("lost_frames=\(lostFrames)")
    if let stamp { words.append("stamp=\(stamp)") }
    return words.joined(separator: " ")
  }

  /// A number with three places behind the point.
  private static func thousandths(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "0.000" }
    let whole = Int64((abs(value) * 1000).rounded())
    let places = String(whole % 1000 + 1000).dropFirst()
    return "\(value < 0 && whole > 0 ? "-" : "+")\(whole / 1000).\(places)"
  }
}
