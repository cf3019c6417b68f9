import Glibc
public import Units

/// This host's clocks, as the rest of the program reads them.
///
/// CLOCK_MONOTONIC_RAW measures; CLOCK_REALTIME, which packets are stamped in, is converted at
/// once by a ``Sandwich``.
public struct HostClock: Sendable {
  /// Makes a reader of this host's clocks.
  public init() {}

  /// CLOCK_MONOTONIC_RAW now.
  public func now() -> HostInstant {
    HostInstant(nanoseconds: Self.read(CLOCK_MONOTONIC_RAW))
  }

  /// CLOCK_REALTIME now: nanoseconds since 1970-01-01T00:00:00 UTC. A label, never a measure.
  public func unixNanoseconds() -> Int64 { Self.read(CLOCK_REALTIME) }

  /// How long this host has slept since it was booted, in nanoseconds: it grows in suspend only.
  ///
  /// A busy machine may take long from one clock to the other, which would look like a sleep: one is
  /// read between two readings of the other, and of several tries the tightest counts.
  public func suspendedNanoseconds(attempts: Int = 8) -> Int64 {
    var best: (width: Int64, slept: Int64) = (.max, 0)
    for _ in 0..<max(attempts, 1) where best.width > Self.tightNanoseconds {
      let before = Self.read(CLOCK_MONOTONIC)
      let boot = Self.read(CLOCK_BOOTTIME)
      let after = Self.read(CLOCK_MONOTONIC)
      if after - before < best.width {
        best = (after - before, boot - before - (after - before) / 2)
      }
    }
    return best.slept
  }

  /// Two readings so near to one another had nothing between them, in nanoseconds.
  private static let tightNanoseconds: Int64 = 20_000

  /// How long this host has slept since ``suspendedNanoseconds()`` was `before`, in nanoseconds;
  /// nothing where it has not. The two clocks are read one after the other, and a busy machine may
  /// take long from one to the other: of several readings the least counts.
  public func sleptNanoseconds(since before: Int64) -> Int64? {
    for _ in 0..<4 where suspendedNanoseconds() - before <= Self.shortestSleep { return nil }
    return suspendedNanoseconds() - before
  }

  /// A tenth of a second is no sleep.
  private static let shortestSleep: Int64 = 100_000_000

  /// CLOCK_REALTIME and CLOCK_MONOTONIC_RAW read together, the tightest of `attempts` tries.
  public func sandwich(attempts: Int = 3) -> Sandwich {
    Self.sandwich(of: CLOCK_REALTIME, attempts: attempts)
  }

  /// CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW read together, the tightest of `attempts` tries.
  public func monotonicSandwich(attempts: Int = 3) -> Sandwich {
    Self.sandwich(of: CLOCK_MONOTONIC, attempts: attempts)
  }

  private static func sandwich(of clock: clockid_t, attempts: Int) -> Sandwich {
    var best: Sandwich?
    for _ in 0..<max(attempts, 1) {
      let before = read(CLOCK_MONOTONIC_RAW)
      let other = read(clock)
      let after = read(CLOCK_MONOTONIC_RAW)
      let found = Sandwich(
        host: HostInstant(nanoseconds: before + (after - before) / 2), otherNanoseconds: other,
        widthNanoseconds: after - before)
      if found.widthNanoseconds < best?.widthNanoseconds ?? .max { best = found }
    }
    // The loop above runs at least once.
    return best ?? Sandwich(host: .init(nanoseconds: 0), otherNanoseconds: 0, widthNanoseconds: 0)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var reading = timespec()
    let status = clock_gettime(clock, &reading)
    precondition(status == 0, "Linux has clock \(clock)")
    return Int64(reading.tv_sec) * 1_000_000_000 + Int64(reading.tv_nsec)
  }
}
