import CSystemd
import DBus
import TestBuses

/// A sound server that owns a card and gives it up when it is asked, as PipeWire does.
final class Desktop: Sendable {
  private let server: BusServer

  init(card: Int, address: String) {
    server = BusServer(address: address) { connection in
      sd_bus_add_object(
        connection.handle, nil, "/org/freedesktop/ReserveDevice1/Audio\(card)",
        { message, _, _ in
          guard
            sd_bus_message_is_method_call(
              message, "org.freedesktop.ReserveDevice1", "RequestRelease") > 0
          else { return 0 }
          var reply: OpaquePointer?
          var granted: Int32 = 1
          sd_bus_message_new_method_return(message, &reply)
          sd_bus_message_append_basic(reply, BusConnection.code("b"), &granted)
          sd_bus_send(nil, reply, nil)
          sd_bus_message_unref(reply)
          return 1
        }, nil)
      let allowsReplacement = UInt64(SD_BUS_NAME_ALLOW_REPLACEMENT)
      sd_bus_request_name(
        connection.handle, "org.freedesktop.ReserveDevice1.Audio\(card)", allowsReplacement)
    }
  }

  /// Ends it; call before the value goes.
  func stop() { server.stop() }
}
