internal import CSystemd
internal import Glibc

/// A connection to a D-Bus message bus, closed when the value goes. Used by one thread at a time.
///
/// The corresponding C library is sd-bus of libsystemd.
public final class BusConnection {
  /// A bus that every system has its own place for.
  public enum Usual: Sendable {
    case system
    /// The user's own.
    case user
  }

  /// For the overlays of single services, which put their calls together themselves.
  package let handle: OpaquePointer

  /// Connects to the bus at `address`, else to the `usual` one; nothing where there is none.
  public init?(_ usual: Usual, address: String? = nil) {
    guard let address else {
      var made: OpaquePointer?
      let status = usual == .system ? sd_bus_open_system(&made) : sd_bus_open_user(&made)
      guard status >= 0, let made else { return nil }
      handle = made
      return
    }
    var made: OpaquePointer?
    guard sd_bus_new(&made) >= 0, let made else { return nil }
    guard sd_bus_set_address(made, address) >= 0, sd_bus_set_bus_client(made, 1) >= 0,
      sd_bus_start(made) >= 0
    else {
      sd_bus_unref(made)
      return nil
    }
    handle = made
  }

  deinit { sd_bus_flush_close_unref(handle) }

  /// The descriptor that is readable when something has come.
  public var descriptor: Int32 { sd_bus_get_fd(handle) }

  /// Handles what has come; false where the bus is gone.
  public func process() -> Bool {
    while true {
      let status = sd_bus_process(handle, nil)
      if status < 0 { return false }
      if status == 0 { return true }
    }
  }

  /// Handles what has come, and waits for more for up to `milliseconds`; false where the bus is
  /// gone.
  public func serve(milliseconds: UInt64) -> Bool {
    guard process() else { return false }
    let status = sd_bus_wait(handle, milliseconds * 1000)
    return status >= 0 || status == -EINTR
  }

  /// The code of a D-Bus type, as the C functions take it.
  package static func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
