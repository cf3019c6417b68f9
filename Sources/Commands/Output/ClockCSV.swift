internal import Control
internal import Units

/// The clock as lines of figures, for programs that judge it.
enum ClockCSV {
  static let header = "t_ns,domain,offset_ns"
  /// How far apart the lines are.
  static let distance = Duration.milliseconds(100)

  /// The line of `report`; nothing where nobody's clock is known, or the host is the one that
  /// others follow. In holdover the last coordinator's clock is meant.
  static func line(_ report: ClockReport) -> String? {
    guard report.role == .follower || report.role == .holdover, let host = report.hostNs,
      let offset = report.offsetNs
    else { return nil }
    return "\(host),raw,\(offset)"
  }
}
