public import Units

/// The shared time that users read: it follows the estimate without ever jumping.
///
/// Within a map generation every reading is greater than the one before; corrections are slewed at
/// 500 ppm at most. Only a new generation may step.
public struct DisplayedClock: Sendable {
  /// The fastest correction: 500 us a second, the limit that adjtime(3) has too.
  public static let fastestSlew = ClockRate(partsPerMillion: 500)

  private var anchor: HostInstant
  private var shared: SharedInstant
  private var skew: Double
  private var slew = 0.0
  private var slewEnd: HostInstant
  private var last: SharedInstant?
  /// The generation of the map that is followed.
  public private(set) var generation: UInt32

  /// Shows exactly what `map` says at `now`.
  public init(map: ClockMap, at now: HostInstant) {
    anchor = now
    shared = map.shared(at: now)
    skew = map.skew.fraction
    slewEnd = now
    generation = map.generation
  }

  /// Follows `map` from `now` on: slewing towards it, or at once where it is of a new generation.
  public mutating func follow(_ map: ClockMap, at now: HostInstant) {
    guard map.generation == generation else {
      self = DisplayedClock(map: map, at: now)
      return
    }
    let shown = reading(at: now)
    let error = Double(map.shared(at: now).nanoseconds - shown.nanoseconds)
    // Small errors are worked off within a second, great ones at the fastest slew.
    let limit = Self.fastestSlew.fraction
    let rate = max(-limit, min(limit, error * 1e-9))
    anchor = now
    shared = shown
    skew = map.skew.fraction
    slew = rate
    slewEnd = rate == 0 ? now : now + .nanoseconds(Int64((error / rate).rounded()))
  }

  /// What the clock shows when the host's clock reads `instant`, without taking note of it.
  public func reading(at instant: HostInstant) -> SharedInstant {
    let elapsed = Double(instant.nanoseconds - anchor.nanoseconds)
    let slewed = max(0, min(elapsed, Double(slewEnd.nanoseconds - anchor.nanoseconds)))
    let correction = elapsed * skew + slewed * slew
    return SharedInstant(
      nanoseconds: shared.nanoseconds + (instant.nanoseconds - anchor.nanoseconds)
        + Int64(correction.rounded()))
  }

  /// What the clock shows at `instant`: always more than at the reading before.
  public mutating func read(at instant: HostInstant) -> SharedInstant {
    var shown = reading(at: instant)
    if let last, shown <= last { shown = last + .nanoseconds(1) }
    last = shown
    return shown
  }

  /// When the clock will show `instant`, in the host's time, as far as is known now.
  public func host(at instant: SharedInstant) -> HostInstant {
    // Two steps of fixed-point iteration: the rates are thousandths, the rest below 1 ns.
    var guess = anchor + (instant - shared)
    for _ in 0..<3 { guess = guess + (instant - reading(at: guess)) }
    return guess
  }
}
