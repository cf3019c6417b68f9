public import Units

/// A coordinator's time in office. Later terms are greater; nobody obeys a lower one after a
/// higher.
public struct Term: Hashable, Comparable, Sendable {
  /// The greatest counter that is taken from a peer: there is always room for the next one.
  public static let greatestCounter: UInt64 = 1 << 62

  public let counter: UInt64
  /// Who holds the office.
  public let peer: PeerID

  /// Makes the term `counter` of `peer`.
  public init(counter: UInt64, peer: PeerID) {
    self.counter = counter
    self.peer = peer
  }

  public static func < (one: Term, other: Term) -> Bool {
    (one.counter, one.peer) < (other.counter, other.peer)
  }
}
