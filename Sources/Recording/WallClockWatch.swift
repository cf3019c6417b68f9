public import Units

/// Notices that somebody set the host's wall clock, by what it gains on the host's own clock.
///
/// A clock that is being disciplined gains or loses 500 ppm at most; what is more than that and
/// ``threshold`` is a step.
public struct WallClockWatch: Sendable {
  /// The least step that is noticed: a tick of a coarse clock is none.
  public static let threshold = Duration.milliseconds(5)
  /// How fast Linux slews at most (adjtimex), and some more.
  static let slew = ClockRate(partsPerMillion: 600)

  private var before: (host: HostInstant, unixNanoseconds: Int64)?

  public init() {}

  /// The step since the look before, in nanoseconds; nothing where there was none.
  public mutating func look(host: HostInstant, unixNanoseconds: Int64) -> Int64? {
    defer { before = (host, unixNanoseconds) }
    guard let before else { return nil }
    let elapsed = (host - before.host).wholeNanoseconds
    let gained = (unixNanoseconds - before.unixNanoseconds) - elapsed
    let allowed =
      Self.threshold.wholeNanoseconds
      + Int64((Double(elapsed.magnitude) * Self.slew.fraction).rounded(.up))
    return gained.magnitude > UInt64(allowed) ? gained : nil
  }
}
