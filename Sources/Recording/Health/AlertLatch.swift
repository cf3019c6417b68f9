internal import Units

/// Decides from when to when one alert holds.
///
///     nothing --(over `raise` for `holds`)--> a severity --(under `keep` for `clears`)--> nothing
///
/// Between `raise` and `keep` it stays what it is. It goes up as it comes, and goes down as it
/// ends.
struct AlertLatch: Hashable, Sendable {
  private(set) var severity: Alert.Severity?
  private var risingSince: HostInstant?
  private var fallingSince: HostInstant?

  /// Takes in a finding of `now`; whether the severity has changed.
  mutating func take(_ finding: HealthFinding, at now: HostInstant) -> Bool {
    let before = severity
    if let raise = finding.raise, severity.map({ raise > $0 }) ?? true {
      fallingSince = nil
      let since = risingSince ?? now
      risingSince = since
      guard now - since >= finding.holds else { return false }
      severity = raise
      risingSince = nil
    } else if let held = severity, finding.keep.map({ $0 < held }) ?? true {
      risingSince = nil
      let since = fallingSince ?? now
      fallingSince = since
      guard now - since >= finding.clears else { return false }
      severity = finding.keep
      fallingSince = nil
    } else {
      risingSince = nil
      fallingSince = nil
    }
    return severity != before
  }
}
