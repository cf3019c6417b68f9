/// How far the coordinator's clock is ahead of this host's at one reading, with the bounds of that figure.
public struct OffsetReading: Hashable, Sendable {
  /// The coordinator's clock minus this host's, in nanoseconds.
  public let nanoseconds: Int64
  /// What measuring leaves open of it, in nanoseconds.
  public let jitterBoundNanoseconds: Int64
  /// What an asymmetric path could hide in it, in nanoseconds.
  public let pathLimitNanoseconds: Int64

  /// What it may be off by in all, in nanoseconds.
  public var boundNanoseconds: Int64 { jitterBoundNanoseconds + pathLimitNanoseconds }
}
