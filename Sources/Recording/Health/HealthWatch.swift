public import Units

/// Decides which alerts hold on a host, from its figures as they come.
///
/// It neither measures nor tells: its caller says what was measured and what time it is, and tells
/// people of the changes that come back.
public struct HealthWatch: Sendable {
  /// An alert that came, went, or is another severity now.
  public struct Change: Hashable, Sendable {
    public let phase: FleetEvent.Phase
    /// As it is now; of one that is over, as it was.
    public let alert: Alert
  }

  /// The most things that are watched at once; of more, the first by kind and subject.
  public static let mostWatched = 512

  private let rules: HealthRules
  private var latches: [Alert.Key: AlertLatch] = [:]
  private var alerts: [Alert.Key: Alert] = [:]
  private var gaps = RisingCount()
  private var clips: [RisingCount] = []

  /// Begins with a host that is well.
  public init(limits: HealthLimits = HealthLimits()) { rules = HealthRules(limits: limits) }

  /// The alerts that hold, the worst first.
  public var active: [Alert] {
    alerts.values.sorted { one, other in
      one.severity == other.severity ? one.key < other.key : one.severity > other.severity
    }
  }

  /// Takes in what was measured at `now`.
  public mutating func take(_ reading: HealthReading, at now: HostInstant) -> [Change] {
    let found = rules.findings(reading) + counted(reading, at: now)
    let findings = found.sorted { $0.key < $1.key }.prefix(Self.mostWatched)
    var changes = findings.flatMap { judge($0, at: now) }
    // What is not measured any more is over: the card is closed, the folder is another.
    let kept = Set(findings.map(\.key))
    for key in latches.keys.sorted() where !kept.contains(key) {
      latches[key] = nil
      if let alert = alerts.removeValue(forKey: key) {
        changes.append(Change(phase: .cleared, alert: alert))
      }
    }
    return changes
  }

  private mutating func judge(_ finding: HealthFinding, at now: HostInstant) -> [Change] {
    var latch = latches[finding.key] ?? AlertLatch()
    let hasChanged = latch.take(finding, at: now)
    latches[finding.key] = latch
    let before = alerts[finding.key]
    guard let severity = latch.severity else {
      alerts[finding.key] = nil
      return before.map { [Change(phase: .cleared, alert: $0)] } ?? []
    }
    // What is well again and only waits to be cleared keeps its words.
    if finding.keep != nil || before == nil {
      alerts[finding.key] = Alert(
        finding.key.kind, subject: finding.key.subject, severity: severity, text: finding.text,
        next: finding.next)
    }
    guard hasChanged, let alert = alerts[finding.key] else { return [] }
    return [Change(phase: before == nil ? .raised : .changed, alert: alert)]
  }

  /// What is told by a count that grows.
  private mutating func counted(
    _ reading: HealthReading, at now: HostInstant
  ) -> [HealthFinding] {
    let span = rules.limits.countSpan
    gaps.take(reading.gaps, at: now)
    if clips.count != reading.clipped.count {
      clips = reading.clipped.map { _ in RisingCount() }
    }
    for (place, count) in reading.clipped.enumerated() { clips[place].take(count, at: now) }
    let gap = HealthFinding(
      .gap, "", gaps.hasRisen(within: span, before: now) ? .critical : nil,
      reading.lastGap.map { "\($0); silence stands for them" }
        ?? "\(reading.gaps) gap\(reading.gaps == 1 ? "" : "s"); silence stands for what was lost",
      "look at its load, its USB cable and its hub; align keeps the file in place")
    return [gap]
      + clips.enumerated().map { place, count in
        HealthFinding(
          .clip, "channel \(place + 1)",
          count.hasRisen(within: span, before: now) ? .warning : nil,
          "channel \(place + 1): too loud, \(reading.clipped[place]) samples at full scale",
          "turn its gain down")
      }
  }
}
