internal import Units

/// What is known of the clocks of those that are or were coordinator, each run of each host apart:
/// whoever leads again is known already, with its rate.
struct EstimatorTable: Sendable {
  /// The most clocks that are remembered.
  static let mostRuns = 8

  private var entries: [PeerRun: (estimator: SyncEstimator, kept: UInt64)] = [:]
  private var lastKept: UInt64 = 0

  /// How many clocks are remembered.
  var count: Int { entries.count }

  /// Keeps what is known of a run's clock; where the table is full, what was kept longest ago goes.
  mutating func keep(_ estimator: SyncEstimator, of run: PeerRun) {
    guard estimator.estimate != nil else { return }
    if entries[run] == nil, entries.count >= Self.mostRuns,
      let oldest = entries.min(by: { $0.value.kept < $1.value.kept })?.key
    {
      entries[oldest] = nil
    }
    lastKept += 1
    entries[run] = (estimator, lastKept)
  }

  /// Takes out what is known of a run's clock.
  mutating func take(_ run: PeerRun) -> SyncEstimator? {
    entries.removeValue(forKey: run)?.estimator
  }

  /// Forgets all: this host's own clock is another.
  mutating func removeAll() { entries = [:] }
}
