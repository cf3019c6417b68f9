package import Units

/// What a host said of its place in shared time, at one instant.
package struct SyncReading: Hashable, Sendable {
  /// A reading of its clock.
  package let host: HostInstant
  /// Shared time at that very reading, as the host believes.
  package let shared: SharedInstant
  /// How far off it believes to be at most, in nanoseconds.
  package let boundNanoseconds: Int64
  /// How far what it shows is from what it estimates, in nanoseconds.
  package let offsetNanoseconds: Int64

  /// Makes a reading of its parts.
  package init(
    host: HostInstant, shared: SharedInstant, boundNanoseconds: Int64 = 0,
    offsetNanoseconds: Int64 = 0
  ) {
    self.host = host
    self.shared = shared
    self.boundNanoseconds = boundNanoseconds
    self.offsetNanoseconds = offsetNanoseconds
  }
}
