/// What a host's own line adds to the delay of packets in one direction.
public struct Burden: Hashable, Sendable {
  /// What each packet waits, in nanoseconds.
  public let delay: Double
  /// The mean of what comes on top, exponentially distributed, in nanoseconds.
  public let jitter: Double

  /// Makes a burden of spans in nanoseconds, 0 or more.
  public init(delay: Double = 0, jitter: Double = 0) {
    precondition(delay >= 0 && jitter >= 0, "nothing arrives before it was sent")
    self.delay = delay
    self.jitter = jitter
  }
}
