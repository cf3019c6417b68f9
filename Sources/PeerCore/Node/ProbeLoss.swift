/// How many of the latest probes no reply came to in time.
public struct ProbeLoss: Hashable, Sendable {
  /// The most probes that are remembered.
  public static let span = 256
  /// The fewest that tell anything.
  public static let least = 8

  private var outcomes: [Bool] = []

  /// Begins without a probe.
  public init() {}

  /// Takes note of a probe: answered, or lost.
  public mutating func note(isLost: Bool) {
    if outcomes.count == Self.span { outcomes.removeFirst() }
    outcomes.append(isLost)
  }

  /// The share of lost ones, 0 to 1; nothing while they are too few.
  public var share: Double? {
    guard outcomes.count >= Self.least else { return nil }
    return Double(outcomes.count { $0 }) / Double(outcomes.count)
  }
}
