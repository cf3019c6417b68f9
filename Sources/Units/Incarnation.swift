/// Which run of a peer: tells a restarted peer from itself.
public struct Incarnation: Hashable, Sendable, Codable, CustomStringConvertible {
  /// How often the peer has started on its state directory, from 1.
  public let count: UInt32
  /// Drawn anew at each start, so that a copied or lost counter is noticed.
  public let nonce: UInt32

  /// Makes the incarnation with the given counter and random part.
  public init(count: UInt32, nonce: UInt32) {
    self.count = count
    self.nonce = nonce
  }

  public var description: String { "\(count)-\(String(nonce, radix: 16))" }
}
