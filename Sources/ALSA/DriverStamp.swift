public import Units

/// Judges the stamp that a driver gives with its position.
///
/// A kernel's stamp says when the pointer was looked at last. Some drivers and plugins give none,
/// or one from before the stream began, or of another clock: such a stamp is worse than none.
public enum DriverStamp {
  /// How old a stamp may be: what was true so long ago is of no use.
  public static let oldest = Duration.seconds(1)

  /// The stamp, where it can be believed.
  ///
  /// - Parameters:
  ///   - stamp: the driver's, in the host's own time; nothing where there is none.
  ///   - started: when the stream was started.
  ///   - now: a reading after the call.
  public static func believed(
    _ stamp: HostInstant?, started: HostInstant, now: HostInstant
  ) -> HostInstant? {
    guard let stamp, stamp.nanoseconds > 0, stamp >= started, stamp <= now,
      now - stamp < oldest
    else { return nil }
    return stamp
  }
}
