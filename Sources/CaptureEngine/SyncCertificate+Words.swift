internal import Recording
internal import Units

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
