/// How far off each figure of a take may be.
package struct Budgets: Hashable, Sendable {
  /// From the last daemon's start until all are in sync, in seconds.
  package var settledSeconds = 3.0
  /// Of a host's shared time against the truth, in nanoseconds.
  package var syncErrorNs = 20_000.0
  /// Of the coordinator's clock against the timeline that it keeps, in nanoseconds.
  package var timelineNs = 1_000.0
  /// From T0 to a raw file's first sample, in samples of true time.
  package var firstSampleSamples = 1.5
  /// Of a raw file's length against its crystal's count from T0 to T1, in samples.
  package var lengthSamples = 1.0
  /// Of a measured rate, in parts per million.
  package var ratePpm = 2.0
  /// Of aligned sound against the scene, and between two hosts, in samples.
  package var residualSamples = 2.0
  /// The whole demo, in seconds.
  package var totalSeconds = 40.0

  /// Makes the budgets of three hosts and a take of ten seconds.
  package init() {}

  /// Makes the budgets of a demo: more hosts and longer takes are given more time in all.
  package init(hosts: Int, seconds: Int) {
    totalSeconds += 3 * Double(max(0, hosts - 3)) + 2 * Double(max(0, seconds - 10))
  }
}
