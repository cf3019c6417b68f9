internal import Units

/// Whether a count that only grows has grown of late.
struct RisingCount: Hashable, Sendable {
  private var last = 0
  private var rose: HostInstant?

  /// Takes in the count of `now`; one that is smaller was begun anew.
  mutating func take(_ count: Int, at now: HostInstant) {
    if count > last { rose = now }
    if count < last { rose = nil }
    last = count
  }

  /// Whether it grew within `span` before `now`.
  func hasRisen(within span: Duration, before now: HostInstant) -> Bool {
    rose.map { now - $0 < span } ?? false
  }
}
