public import Units

/// The clocks of one host, all driven by one crystal.
///
/// CLOCK_MONOTONIC_RAW counts the crystal's ticks, stands still while the host is suspended, and
/// begins anew when it boots. CLOCK_REALTIME, which the kernel stamps packets with, is bent and set
/// by whoever disciplines the host. A copy goes on as if nothing happened to the host any more.
public struct HostClocks: Sendable {
  public let oscillator: Oscillator
  private var raw: [RawSpan]
  private var wall: [WallSpan]

  /// From `start`, in true nanoseconds, the clock reads the crystal's ticks less `shift`, or stands
  /// at `standstill`.
  private struct RawSpan {
    let start: Int64
    let shift: Int64
    let standstill: Int64?
  }

  /// From `start`, in ticks, REALTIME goes on from `value` with another rate than the crystal.
  private struct WallSpan {
    let start: Int64
    let value: Int64
    let rate: ClockRate
  }

  /// What RAW reads at boot, in nanoseconds: the kernel has been at work by the time a daemon is.
  private static let firstReading: Int64 = 10_000_000_000

  /// Makes the clocks of a host whose REALTIME reads `unixNanoseconds` at the world's time zero and
  /// runs by `discipline` faster than the crystal.
  public init(oscillator: Oscillator, unixNanoseconds: Int64, discipline: ClockRate = .zero) {
    self.oscillator = oscillator
    raw = [RawSpan(start: .min, shift: 0, standstill: nil)]
    wall = [
      WallSpan(
        start: oscillator.origin.nanoseconds, value: unixNanoseconds, rate: discipline)
    ]
  }

  /// What RAW reads at the true time `nanoseconds`.
  public func host(atTrueNanoseconds nanoseconds: Int64) -> HostInstant {
    host(
      atTrueNanoseconds: nanoseconds,
      ticks: oscillator.host(atTrueNanoseconds: nanoseconds).nanoseconds)
  }

  /// What RAW and REALTIME read at the true time `nanoseconds`.
  func both(atTrueNanoseconds nanoseconds: Int64) -> (HostInstant, Int64) {
    let ticks = oscillator.host(atTrueNanoseconds: nanoseconds).nanoseconds
    return (host(atTrueNanoseconds: nanoseconds, ticks: ticks), unixNanoseconds(atTicks: ticks))
  }

  private func host(atTrueNanoseconds nanoseconds: Int64, ticks: Int64) -> HostInstant {
    let span = raw.last { $0.start <= nanoseconds } ?? raw[0]
    return HostInstant(nanoseconds: span.standstill ?? ticks - span.shift)
  }

  /// The true time, in nanoseconds, at which RAW first reads `instant` or more; never while the
  /// host is suspended.
  func trueNanoseconds(at instant: HostInstant) -> Int64? {
    guard let span = raw.last, span.standstill == nil else { return nil }
    return oscillator.trueNanoseconds(
      at: HostInstant(nanoseconds: instant.nanoseconds + span.shift))
  }

  /// What REALTIME reads at the true time `nanoseconds`: since 1970-01-01T00:00:00 UTC.
  public func unixNanoseconds(atTrueNanoseconds nanoseconds: Int64) -> Int64 {
    unixNanoseconds(atTicks: oscillator.host(atTrueNanoseconds: nanoseconds).nanoseconds)
  }

  private func unixNanoseconds(atTicks ticks: Int64) -> Int64 {
    let span = wall.last { $0.start <= ticks } ?? wall[0]
    let elapsed = ticks - span.start
    return span.value + elapsed + Int64((Double(elapsed) * span.rate.fraction).rounded())
  }
}

// What happens to them.
extension HostClocks {
  /// REALTIME runs by `rate` faster than the crystal from now on.
  mutating func bend(to rate: ClockRate, at now: Int64) { restartWall(at: now, by: 0, rate: rate) }

  /// REALTIME is set forward by `nanoseconds`, or back.
  mutating func step(by nanoseconds: Int64, at now: Int64) {
    restartWall(at: now, by: nanoseconds, rate: wall[wall.count - 1].rate)
  }

  private mutating func restartWall(at now: Int64, by step: Int64, rate: ClockRate) {
    wall.append(
      WallSpan(
        start: oscillator.host(atTrueNanoseconds: now).nanoseconds,
        value: unixNanoseconds(atTrueNanoseconds: now) + step, rate: rate))
  }

  /// The host falls asleep: RAW stands still.
  mutating func suspend(at now: Int64) {
    let reading = host(atTrueNanoseconds: now).nanoseconds
    raw.append(RawSpan(start: now, shift: 0, standstill: reading))
  }

  /// The host wakes: RAW goes on from where it stood.
  mutating func resume(at now: Int64) { go(on: host(atTrueNanoseconds: now).nanoseconds, at: now) }

  /// The host boots: RAW begins anew.
  mutating func boot(at now: Int64) { go(on: Self.firstReading, at: now) }

  private mutating func go(on reading: Int64, at now: Int64) {
    let ticks = oscillator.host(atTrueNanoseconds: now).nanoseconds
    raw.append(RawSpan(start: now, shift: ticks - reading, standstill: nil))
  }
}
