internal import CSystemd
internal import Glibc

/// The session bus, as far as reserving a sound card needs it. Used by one thread at a time.
final class ReservationBus {
  /// How long an answer of another program is waited for, in microseconds.
  private static let patience: UInt64 = 3_000_000

  private let bus: OpaquePointer

  /// Connects to the bus at `address`, else to the user's own; nothing where there is none.
  init?(address: String?) {
    var made: OpaquePointer?
    if let address {
      guard sd_bus_new(&made) >= 0, let bus = made else { return nil }
      guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0,
        sd_bus_start(bus) >= 0
      else {
        sd_bus_unref(bus)
        return nil
      }
      self.bus = bus
    } else {
      guard sd_bus_open_user(&made) >= 0, let bus = made else { return nil }
      self.bus = bus
    }
  }

  deinit { sd_bus_flush_close_unref(bus) }

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
    guard sd_bus_message_append_basic(call, Self.code("i"), &value) >= 0 else { return false }
    var reply: OpaquePointer?
    guard sd_bus_call(bus, call, Self.patience, nil, &reply) >= 0 else { return false }
    defer { sd_bus_message_unref(reply) }
    var granted: Int32 = 0
    return sd_bus_message_read_basic(reply, Self.code("b"), &granted) > 0 && granted != 0
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
    guard sd_bus_message_read_basic(reply, Self.code("s"), &text) > 0, let text else { return nil }
    return String(cString: text)
  }

  /// Answers those that ask about the card at `path` from now on: no, it is being recorded from.
  func answer(at path: String) -> Bool {
    sd_bus_add_object(bus, nil, path, { message, _, _ in ReservationAnswer.to(message) }, nil) >= 0
  }

  /// Handles what has come, and waits for more for up to `milliseconds`; false where the bus is
  /// gone.
  func serve(milliseconds: UInt64) -> Bool {
    while true {
      let status = sd_bus_process(bus, nil)
      if status < 0 { return false }
      if status == 0 { break }
    }
    let status = sd_bus_wait(bus, milliseconds * 1000)
    return status >= 0 || status == -EINTR
  }

  static func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
