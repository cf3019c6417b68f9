internal import CSystemd
internal import DBus
internal import Glibc

/// A call on the bus that is being put together. What cannot be put in makes the sending fail.
struct AvahiCall: ~Copyable {
  private let bus: OpaquePointer
  private let message: OpaquePointer?
  private var status: Int32

  init(
    _ bus: OpaquePointer, _ destination: String, _ path: String, _ interface: String,
    _ method: String
  ) {
    self.bus = bus
    var made: OpaquePointer?
    status = sd_bus_message_new_method_call(bus, &made, destination, path, interface, method)
    message = made
  }

  deinit { sd_bus_message_unref(message) }

  mutating func put(_ value: Int32) { append("i", value) }
  mutating func put(_ value: UInt32) { append("u", value) }
  mutating func put(_ value: UInt16) { append("q", value) }

  mutating func put(_ text: String) {
    guard status >= 0 else { return }
    status = text.withCString { sd_bus_message_append_basic(message, BusConnection.code("s"), $0) }
  }

  /// Texts as arrays of bytes, as a service's record has them.
  mutating func put(_ texts: [String]) {
    note(sd_bus_message_open_container(message, BusConnection.code("a"), "ay"))
    for text in texts where status >= 0 {
      let bytes = Array(text.utf8)
      note(sd_bus_message_append_array(message, BusConnection.code("y"), bytes, bytes.count))
    }
    note(sd_bus_message_close_container(message))
  }

  /// Sends the call and waits for the answer, up to `microseconds`; nothing where it is an error.
  borrowing func send(within microseconds: UInt64) -> AvahiReply? {
    guard status >= 0 else { return nil }
    var reply: OpaquePointer?
    guard sd_bus_call(bus, message, microseconds, nil, &reply) >= 0, let reply else { return nil }
    return AvahiReply(owning: reply)
  }

  private mutating func append<Value: BitwiseCopyable>(_ type: Character, _ value: Value) {
    guard status >= 0 else { return }
    status = withUnsafePointer(to: value) {
      sd_bus_message_append_basic(message, BusConnection.code(type), $0)
    }
  }

  private mutating func note(_ result: Int32) { if status >= 0 { status = result } }
}
