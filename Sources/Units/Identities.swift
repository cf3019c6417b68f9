/// Which peer: random, kept in the peer's state directory, never made of a name or an address.
public struct PeerID: Identity128 {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// Which session: random, minted by the first coordinator.
public struct SessionID: Identity128 {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// Which take: random, minted when a fleet is armed.
public struct TakeID: Identity128 {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
