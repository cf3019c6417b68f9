/// 128 random bits, which only a living peer can give back.
public struct ChallengeNonce: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  /// Draws a nonce.
  public init(from generator: inout some RandomNumberGenerator) {
    high = generator.next()
    low = generator.next()
  }

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
