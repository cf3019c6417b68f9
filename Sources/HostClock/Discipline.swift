internal import CLinux
public import Units

/// What the kernel was told of the wall clock's error by whatever disciplines it: chrony, ntpd,
/// linuxptp or a GPS daemon.
///
/// The corresponding system call is adjtimex(2), which here reads and changes nothing.
public struct Discipline: Hashable, Sendable {
  /// Whether anybody vouches for the clock: STA_UNSYNC is not set.
  public let isSynchronized: Bool
  /// The clock's state as adjtimex returns it: TIME_OK 0, TIME_INS 1, TIME_DEL 2, TIME_OOP 3,
  /// TIME_WAIT 4, TIME_ERROR 5.
  public let state: Int32
  /// The estimated error, in nanoseconds.
  public let estimatedErrorNanoseconds: Int64
  /// The error that is not exceeded, in nanoseconds.
  public let maximumErrorNanoseconds: Int64
  /// TAI − UTC in seconds; 0 where nobody told the kernel.
  public let taiOffsetSeconds: Int32

  /// The state of now; nothing where the kernel does not tell.
  public static func current() -> Discipline? {
    var read = linux_discipline()
    guard linux_read_discipline(&read) >= 0 else { return nil }
    return Discipline(
      isSynchronized: read.synchronized, state: read.state,
      estimatedErrorNanoseconds: read.estimated_error_ns,
      maximumErrorNanoseconds: read.maximum_error_ns, taiOffsetSeconds: read.tai_offset_s)
  }
}

extension HostClock {
  /// The wall clock beside the host's own, and its discipline, all of one side of a leap second;
  /// nothing where the kernel does not tell.
  public func disciplinedSandwich() -> (sandwich: Sandwich, discipline: Discipline)? {
    // A leap second between the two readings is seen by the count, and then the next try is clear.
    for _ in 0..<2 {
      guard let before = Discipline.current() else { return nil }
      let sandwich = sandwich()
      guard let after = Discipline.current() else { return nil }
      if before.taiOffsetSeconds == after.taiOffsetSeconds { return (sandwich, after) }
    }
    return nil
  }
}
