internal import CSystemd
internal import DBus
internal import Glibc

/// Keeps the host from being put to sleep, for as long as the value lives.
///
/// logind is asked on the system bus (`org.freedesktop.login1.Manager.Inhibit`); it holds sleep back
/// while the descriptor that it gave is open.
public final class SleepInhibitor: Sendable {
  /// What came of asking.
  public enum Outcome: Sendable {
    case taken(SleepInhibitor)
    /// There is no bus, or no logind: as on machines without systemd.
    case noManager
    /// logind does not let this user.
    case refused
  }

  /// How long its answer is waited for, in microseconds.
  private static let patience: UInt64 = 2_000_000
  private static let service = "org.freedesktop.login1"

  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Asks, for up to two seconds.
  ///
  /// - Parameters:
  ///   - reason: what for, as `systemd-inhibit --list` shows it.
  ///   - address: the bus; nothing: the system's.
  public static func take(reason: String, address: String? = nil) -> Outcome {
    guard let connection = BusConnection(.system, address: address) else { return .noManager }
    let bus = connection.handle
    var call: OpaquePointer?
    guard
      sd_bus_message_new_method_call(
        bus, &call, service, "/org/freedesktop/login1", service + ".Manager", "Inhibit") >= 0
    else { return .noManager }
    defer { sd_bus_message_unref(call) }
    for word in ["sleep:idle", "recorder", reason, "block"] {
      let status = word.withCString {
        sd_bus_message_append_basic(call, BusConnection.code("s"), $0)
      }
      guard status >= 0 else { return .noManager }
    }
    var reply: OpaquePointer?
    let status = withExtendedLifetime(connection) { sd_bus_call(bus, call, patience, nil, &reply) }
    guard status >= 0 else {
      // Only a manager refuses; one that is not there does not answer.
      return [-EACCES, -EPERM].contains(status) ? .refused : .noManager
    }
    defer { sd_bus_message_unref(reply) }
    var lent: Int32 = -1
    guard sd_bus_message_read_basic(reply, BusConnection.code("h"), &lent) > 0, lent >= 0 else {
      return .noManager
    }
    // The message closes its own.
    let kept = fcntl(lent, F_DUPFD_CLOEXEC, 3)
    return kept >= 0 ? .taken(SleepInhibitor(kept)) : .noManager
  }
}
