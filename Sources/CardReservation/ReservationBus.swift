internal import CSystemd
internal import DBus
internal import Glibc

/// The session bus, as far as reserving a sound card needs it. Used by one thread at a time.
final class ReservationBus {
  /// How long an answer of another program is waited for, in microseconds.
  private static let patience: UInt64 = 3_000_000

  private let connection: BusConnection
  private var bus: OpaquePointer { connection.handle }

  /// Connects to the bus at `address`, else to the user's own; nothing where there is none.
  init?(address: String?) {
    guard let connection = BusConnection(.user, address: address) else { return nil }
    self.connection = connection
  }

  /// Takes a name on the bus; false where another program has it.
  func take(_ name: String, replacing: Bool) -> Bool {
    let flags: UInt64 = replacing ? UInt64(SD_BUS_NAME_REPLACE_EXISTING) : 0
    return sd_bus_request_name(bus, name, flags) >= 0
  }

  func release(_ name: String) { sd_bus_release_name(bus, name) }

  /// Asks the owner of `name` to give its card up; whether it did.
  func requestRelease(_ name: String, path: String, priority: Int32) -> Bool {
    var call: OpaquePointer?
    guard
      sd_bus_message_new_method_call(
        bus, &call, name, path, CardReservation.interface, "RequestRelease") >= 0
    else { return false }
    defer { sd_bus_message_unref(call) }
    var value = priority
    guard sd_bus_message_append_basic(call, BusConnection.code("i"), &value) >= 0 else {
      return false
    }
    var reply: OpaquePointer?
    guard sd_bus_call(bus, call, Self.patience, nil, &reply) >= 0 else { return false }
    defer { sd_bus_message_unref(reply) }
    var granted: Int32 = 0
    return sd_bus_message_read_basic(reply, BusConnection.code("b"), &granted) > 0 && granted != 0
  }

  /// What the owner of `name` calls itself.
  func applicationName(of name: String, path: String) -> String? {
    var reply: OpaquePointer?
    guard
      sd_bus_get_property(
        bus, name, path, CardReservation.interface, "ApplicationName", nil, &reply, "s") >= 0
    else { return nil }
    defer { sd_bus_message_unref(reply) }
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(reply, BusConnection.code("s"), &text) > 0, let text else {
      return nil
    }
    return String(cString: text)
  }

  /// Answers those that ask about the card at `path` from now on: no, it is being recorded from.
  func answer(at path: String) -> Bool {
    sd_bus_add_object(bus, nil, path, { message, _, _ in ReservationAnswer.to(message) }, nil) >= 0
  }

  /// Handles what has come, and waits for more for up to `milliseconds`; false where the bus is
  /// gone.
  func serve(milliseconds: UInt64) -> Bool { connection.serve(milliseconds: milliseconds) }
}
