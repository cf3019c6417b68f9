public import Units

/// Which command: the sender's run and a number.
public struct CommandID: Hashable, Comparable, Sendable {
  public let incarnation: Incarnation
  public let sequence: UInt64

  /// Makes the id of a sender's command.
  public init(incarnation: Incarnation, sequence: UInt64) {
    self.incarnation = incarnation
    self.sequence = sequence
  }

  public static func < (one: CommandID, other: CommandID) -> Bool {
    (one.incarnation.count, one.incarnation.nonce, one.sequence)
      < (other.incarnation.count, other.incarnation.nonce, other.sequence)
  }
}
