public import Units

/// What is known of another host's clock as read by this one: a line, with bounds.
public struct OffsetEstimate: Hashable, Sendable {
  /// The reading of this host's clock at which the offset is given.
  public let anchor: HostInstant
  /// The other clock's reading minus this one's, at `anchor`, in nanoseconds.
  public let offsetNanoseconds: Int64
  /// By how much the other clock runs faster than this one.
  public let skew: ClockRate
  /// What measuring leaves open at `anchor`, in nanoseconds: everything but asymmetry.
  public let jitterBoundNanoseconds: Int64
  /// By how much the jitter bound grows with the time since `anchor`.
  public let boundGrowth: ClockRate
  /// The least round trip that the present path has shown, in nanoseconds.
  public let floorRoundTripNanoseconds: Int64
  /// How far the lowest delays of the blunter direction lie apart, in nanoseconds: by so much the
  /// next exchange may be better than all before.
  public let floorScaleNanoseconds: Int64
  /// The worst kind of stamp that the estimate rests on.
  public let stampKind: StampKind
  /// How many exchanges it rests on, before they were thinned out.
  public let exchangeCount: Int
  /// When the newest exchange ended.
  public let lastExchange: HostInstant

  /// The other clock's reading when this host's reads `instant`.
  public func other(at instant: HostInstant) -> HostInstant {
    let elapsed = instant.nanoseconds - anchor.nanoseconds
    let drift = Int64((Double(elapsed) * skew.fraction).rounded())
    return HostInstant(nanoseconds: instant.nanoseconds + offsetNanoseconds + drift)
  }

  /// The jitter bound when this host's clock reads `instant`, in nanoseconds.
  public func jitterBoundNanoseconds(at instant: HostInstant) -> Int64 {
    let distance = Double((instant.nanoseconds - anchor.nanoseconds).magnitude)
    return jitterBoundNanoseconds + Int64((distance * boundGrowth.fraction).rounded(.up))
  }

  /// Whether a `later` estimate lies further from what this one expects than its bound allows.
  public func isSurprised(by later: OffsetEstimate) -> Bool {
    let expected = other(at: later.anchor).nanoseconds - later.anchor.nanoseconds
    let surprise = Int64((later.offsetNanoseconds - expected).magnitude)
    return surprise > jitterBoundNanoseconds(at: later.anchor)
  }

  /// The same line, with newer exchanges that did not change it.
  func touched(at instant: HostInstant, exchanges: Int) -> OffsetEstimate {
    OffsetEstimate(
      anchor: anchor, offsetNanoseconds: offsetNanoseconds, skew: skew,
      jitterBoundNanoseconds: jitterBoundNanoseconds, boundGrowth: boundGrowth,
      floorRoundTripNanoseconds: floorRoundTripNanoseconds,
      floorScaleNanoseconds: floorScaleNanoseconds, stampKind: stampKind,
      exchangeCount: exchanges, lastExchange: instant)
  }

  /// What asymmetry of the path could hide: half the floor round trip, in nanoseconds.
  public var pathLimitNanoseconds: Int64 { (floorRoundTripNanoseconds + 1) / 2 }
}
