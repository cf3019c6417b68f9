/// A probe and its reply as two readings of the same difference of clocks.
///
/// Each is the difference plus the time that its packet took, so the difference is never above
/// the one and never below the other's negative.
public struct ExchangePoint: Hashable, Sendable {
  /// When, by the host's own clock, in nanoseconds.
  public let host: Int64
  /// The coordinator's clock less the host's, plus the way there, in nanoseconds.
  public let there: Int64
  /// The host's clock less the coordinator's, plus the way back, in nanoseconds.
  public let back: Int64

  /// Takes an exchange: sent at `t1` by the host's clock, received at `t2` and answered at `t3` by
  /// the coordinator's, received at `t4` by the host's; in nanoseconds.
  public init(t1: Int64, t2: Int64, t3: Int64, t4: Int64) {
    host = t1 + (t4 - t1) / 2
    there = t2 - t1
    back = t4 - t3
  }
}
