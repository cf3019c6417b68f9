internal import Control
internal import Units

/// The clock as lines of figures, for programs that judge it.
enum ClockCSV {
  static let header = "t_ns,domain,offset_ns"
  /// How far apart the lines are.
  static let distance = Duration.milliseconds(100)

  /// The line of `report`; nothing where the host follows nobody.
  static func line(_ report: ClockReport) -> String? {
    guard report.role == .follower, let host = report.hostNs, let offset = report.offsetNs else {
      return nil
    }
    return "\(host),raw,\(offset)"
  }
}
