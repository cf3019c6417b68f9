internal import CSystemd
internal import DBus
internal import Glibc

/// What others are told that ask for a card that is reserved.
enum ReservationAnswer {
  /// Handles a call; 1 where it is answered, 0 where it is none of ours.
  static func to(_ message: OpaquePointer?) -> Int32 {
    if sd_bus_message_is_method_call(message, CardReservation.interface, "RequestRelease") > 0 {
      // A take must not end because somebody wants to play something.
      var granted: Int32 = 0
      return reply(to: message) {
        sd_bus_message_append_basic($0, BusConnection.code("b"), &granted)
      }
    }
    if sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Get") > 0 {
      return property(message)
    }
    return 0
  }

  private static func property(_ message: OpaquePointer?) -> Int32 {
    var interface: UnsafePointer<CChar>?
    var name: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, BusConnection.code("s"), &interface) > 0,
      sd_bus_message_read_basic(message, BusConnection.code("s"), &name) > 0, let name
    else { return 0 }
    switch String(cString: name) {
    case "Priority":
      var value = CardReservation.priority
      return reply(to: message) {
        variant($0, "i") { sd_bus_message_append_basic($0, BusConnection.code("i"), &value) }
      }
    case "ApplicationName", "ApplicationDeviceName":
      return reply(to: message) { reply in
        variant(reply, "s") { reply in
          CardReservation.application.withCString {
            sd_bus_message_append_basic(reply, BusConnection.code("s"), $0)
          }
        }
      }
    default: return 0
    }
  }

  private static func variant(
    _ reply: OpaquePointer?, _ type: String, _ fill: (OpaquePointer?) -> Int32
  ) -> Int32 {
    let opened = sd_bus_message_open_container(reply, BusConnection.code("v"), type)
    if opened < 0 { return opened }
    let filled = fill(reply)
    return filled < 0 ? filled : sd_bus_message_close_container(reply)
  }

  private static func reply(
    to message: OpaquePointer?, _ fill: (OpaquePointer?) -> Int32
  ) -> Int32 {
    var reply: OpaquePointer?
    let made = sd_bus_message_new_method_return(message, &reply)
    if made < 0 { return made }
    defer { sd_bus_message_unref(reply) }
    let filled = fill(reply)
    if filled < 0 { return filled }
    let sent = sd_bus_send(nil, reply, nil)
    return sent < 0 ? sent : 1
  }
}
