internal import Control
internal import Units

/// How a clock does, for people.
struct ClockView {
  static let unknown = "–"

  let report: ClockReport

  /// What shared time may be off by, such as `±1.5 us (path ≤ 9.0 us)`.
  var bound: String {
    guard let jitter = report.jitterBoundNs, let path = report.pathLimitNs else { return "unknown" }
    return "±\(Decimals.time(nanoseconds: jitter)) (path ≤ \(Decimals.time(nanoseconds: path)))"
  }

  var lines: [String] {
    let rows = [
      ("reference", reference), ("session", report.session?.id.description ?? "none yet"),
      ("source", source), ("bound", bound), ("offset", offset), ("skew", skew),
      ("stamps", report.stamp ?? Self.unknown), ("round trip", time(report.floorRoundTripNs)),
      ("exchange", exchange), ("loss", loss), ("path", path),
      ("holdover", holdover),
    ]
    return rows.map { name, value in
      name + String(repeating: " ", count: 12 - name.count) + value
    }
  }

  private var path: String {
    guard let path = report.path else { return Self.unknown }
    let others = (report.paths ?? 1) - 1
    return path + (report.interface.map { " by \($0)" } ?? "")
      + (others > 0 ? ", \(others) more known" : "")
  }

  private var source: String {
    guard report.timeSource == "system" else { return "the hosts among themselves" }
    guard let ahead = report.disagreementNs, let bound = report.disagreementBoundNs else {
      return "this host's own clock"
    }
    let difference = "\(Decimals.time(nanoseconds: ahead)) ±\(Decimals.time(nanoseconds: bound))"
    return "this host's own clock; ahead of the reference by \(difference)"
  }

  private var reference: String {
    switch report.role {
    case .unsynced: return "none: this host is not in sync yet"
    case .coordinator: return "this host"
    case .holdover: return "none is heard"
    case .follower:
      guard let peer = report.coordinator else { return Self.unknown }
      return [report.coordinatorLabel, peer.short].compactMap(\.self).joined(separator: "  ")
    }
  }

  private var offset: String {
    let bound = report.offsetBoundNs.map { " ±\(Decimals.time(nanoseconds: $0))" } ?? ""
    return time(report.offsetNs) + bound
  }

  private var skew: String {
    guard let skew = report.skewPpm else { return Self.unknown }
    return "\(skew < 0 ? "" : "+")\(Decimals.text(skew, places: 3)) ppm"
  }

  private var exchange: String {
    guard let seconds = report.lastExchangeSecondsAgo else { return Self.unknown }
    return "\(DurationText.short(.seconds(seconds))) ago, \(report.exchanges ?? 0) in use"
  }

  private var loss: String {
    report.loss.map { "\(Decimals.text($0 * 100, places: 1)) %" } ?? Self.unknown
  }

  private var holdover: String {
    guard report.role == .holdover else { return "no" }
    return "yes: on the last known rate; the bound grows"
  }

  private func time(_ nanoseconds: Int64?) -> String {
    nanoseconds.map { Decimals.time(nanoseconds: $0) } ?? Self.unknown
  }
}

/// A session, for people.
struct SessionView {
  let session: SessionReport

  var lines: [String] {
    let error = Decimals.time(nanoseconds: session.anchorErrorNs)
    let zone = CivilDate.text(
      unixNanoseconds: session.anchorUnixNs, offsetSeconds: session.utcOffsetSeconds)
    let age = session.ageNs.map { DurationText.short(.nanoseconds($0)) } ?? ClockView.unknown
    return [
      "session     \(session.id.description)", "anchor      \(zone) ±\(error)",
      "UTC offset  \(offset)", "age         \(age)",
    ]
  }

  private var offset: String {
    let minutes = abs(session.utcOffsetSeconds) / 60
    let sign = session.utcOffsetSeconds < 0 ? "−" : "+"
    return sign + Decimals.padded(minutes / 60, width: 2) + ":"
      + Decimals.padded(minutes % 60, width: 2)
  }
}
