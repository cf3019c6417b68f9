internal import CSystemd

/// Whoever started this process as a service, systemd as a rule: it is told how the service does.
///
/// Where nobody did, nothing happens.
public enum ServiceManager {
  /// How often it must hear that the service lives, else it is started anew; nothing where it does
  /// not ask for that.
  public static func watchdog() -> Duration? {
    var microseconds: UInt64 = 0
    return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(microseconds)) : nil
  }

  /// The service does what it is for.
  public static func ready() { tell("READY=1") }

  /// The service ends, as it was told.
  public static func stopping() { tell("STOPPING=1") }

  /// The service lives.
  public static func alive() { tell("WATCHDOG=1") }

  /// What the service does, on one line for `systemctl status`.
  public static func status(_ text: String) {
    tell("STATUS=" + text.map { $0.isNewline ? " " : String($0) }.joined())
  }

  private static func tell(_ state: String) { sd_notify(0, state) }
}
