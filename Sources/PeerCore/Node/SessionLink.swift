public import Units

/// How readings of one session's time lead to another's: what a host saw that left the one for the
/// other. Two sessions have nothing else in common.
public struct SessionLink: Hashable, Sendable {
  public let from: SessionID
  public let to: SessionID
  /// The host's reading at which the two are compared.
  public let host: HostInstant
  /// What either session's time was then.
  public let fromInstant: SharedInstant
  public let toInstant: SharedInstant
  /// By how much the session that was left ran faster.
  public let skew: ClockRate
  /// What both maps may have been off by, in nanoseconds.
  public let boundNanoseconds: Int64

  /// Compares two maps of one host at `instant`.
  public init(from: ClockMap, to: ClockMap, at instant: HostInstant) {
    self.from = from.session
    self.to = to.session
    host = instant
    fromInstant = from.shared(at: instant)
    toInstant = to.shared(at: instant)
    skew = ClockRate(fraction: (1 + from.skew.fraction) / (1 + to.skew.fraction) - 1)
    boundNanoseconds = from.boundNanoseconds(at: instant) + to.boundNanoseconds(at: instant)
  }
}

extension SessionLink: CustomStringConvertible {
  public var description: String {
    "session \(from.short) at \(fromInstant.nanoseconds) ns is session \(to.short) at "
      + "\(toInstant.nanoseconds) ns (±\(boundNanoseconds) ns)"
  }
}
