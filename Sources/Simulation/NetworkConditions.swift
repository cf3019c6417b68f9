/// How packets fare between two hosts.
public struct NetworkConditions: Hashable, Sendable {
  /// The least delay of a packet, in nanoseconds.
  public var delay: Double
  /// The mean of what comes on top, exponentially distributed, in nanoseconds.
  public var jitter: Double
  /// What share of the packets is lost.
  public var loss: Double
  /// What share of the packets arrives twice.
  public var duplicates: Double
  /// What share of the packets is held up so long that others overtake them.
  public var reordered: Double
  /// Whether hosts get the kernel's stamps; else the programs' own.
  public var hasKernelStamps: Bool
  /// Whether multicast gets through.
  public var hasMulticast: Bool

  /// Makes conditions of spans in nanoseconds, and shares of 0...1.
  public init(
    delay: Double, jitter: Double, loss: Double = 0, duplicates: Double = 0,
    reordered: Double = 0, hasKernelStamps: Bool = true, hasMulticast: Bool = true
  ) {
    precondition(delay >= 0 && jitter >= 0, "nothing arrives before it was sent")
    precondition((0...1).contains(loss) && (0...1).contains(duplicates), "shares are of 0...1")
    precondition((0...1).contains(reordered), "shares are of 0...1")
    self.delay = delay
    self.jitter = jitter
    self.loss = loss
    self.duplicates = duplicates
    self.reordered = reordered
    self.hasKernelStamps = hasKernelStamps
    self.hasMulticast = hasMulticast
  }

  /// Processes of one machine: some microseconds.
  public static let loopback = NetworkConditions(delay: 4_000, jitter: 3_000)
  /// A switch in between.
  public static let wired = NetworkConditions(delay: 60_000, jitter: 15_000)
  /// A radio: a millisecond and more, now and then a loss.
  public static let wireless = NetworkConditions(delay: 700_000, jitter: 900_000, loss: 0.01)

  /// The same with other losses.
  public func losing(_ loss: Double) -> NetworkConditions {
    var changed = self
    changed.loss = loss
    return changed
  }
}
