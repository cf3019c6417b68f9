package import AcousticScene
package import Units

/// When a shared instant truly is: by the clock of the host that shared time runs with.
///
/// Shared time is the coordinator's clock but for a constant, so one pair of readings of that
/// host fixes it, through the host's skewed clock, to true time.
package struct SharedTruth: Sendable {
  private let clock: SkewedClockModel
  private let anchor: SyncReading

  /// Makes the truth of the coordinator's clock and a pair that it read together.
  package init(coordinator clock: SkewedClockModel, anchor: SyncReading) {
    self.clock = clock
    self.anchor = anchor
  }

  /// When shared time truly reads `instant`.
  package func instant(at instant: SharedInstant) -> TrueInstant {
    let elapsed = instant.nanoseconds - anchor.shared.nanoseconds
    return clock.instant(at: HostInstant(nanoseconds: anchor.host.nanoseconds + elapsed))
  }

  /// What shared time truly is at `instant`.
  package func shared(at instant: TrueInstant) -> SharedInstant {
    let elapsed = clock.host(at: instant).nanoseconds - anchor.host.nanoseconds
    return SharedInstant(nanoseconds: anchor.shared.nanoseconds + elapsed)
  }

  /// By how much a host with `clock` is ahead of shared time in `reading`, in nanoseconds.
  package func errorNanoseconds(of reading: SyncReading, clock: SkewedClockModel) -> Int64 {
    let truly = shared(at: clock.instant(at: reading.host))
    return reading.shared.nanoseconds - truly.nanoseconds
  }
}
