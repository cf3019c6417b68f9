import CSystemd
import Glibc
import Synchronization

/// A sound server that owns a card and gives it up when it is asked, as PipeWire does.
final class Desktop: Sendable {
  private let shallStop = Atomic<Bool>(false)
  private let ready = Atomic<Bool>(false)
  nonisolated(unsafe) private var thread = pthread_t()
  private let address: String
  private let card: Int

  init(card: Int, address: String) {
    self.card = card
    self.address = address
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Desktop>.fromOpaque(argument).takeUnretainedValue().serve()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    while !ready.load(ordering: .acquiring) { usleep(1000) }
  }

  /// Ends it; call before the value goes.
  func stop() {
    shallStop.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }

  private func serve() {
    var made: OpaquePointer?
    sd_bus_new(&made)
    sd_bus_set_address(made, address)
    sd_bus_set_bus_client(made, 1)
    sd_bus_start(made)
    sd_bus_add_object(
      made, nil, "/org/freedesktop/ReserveDevice1/Audio\(card)",
      { message, _, _ in
        guard
          sd_bus_message_is_method_call(
            message, "org.freedesktop.ReserveDevice1", "RequestRelease") > 0
        else { return 0 }
        var reply: OpaquePointer?
        var granted: Int32 = 1
        sd_bus_message_new_method_return(message, &reply)
        sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "b")), &granted)
        sd_bus_send(nil, reply, nil)
        sd_bus_message_unref(reply)
        return 1
      }, nil)
    let allowsReplacement = UInt64(SD_BUS_NAME_ALLOW_REPLACEMENT)
    sd_bus_request_name(made, "org.freedesktop.ReserveDevice1.Audio\(card)", allowsReplacement)
    ready.store(true, ordering: .releasing)
    while !shallStop.load(ordering: .relaxed) {
      while sd_bus_process(made, nil) > 0 {}
      sd_bus_wait(made, 20_000)
    }
    sd_bus_flush_close_unref(made)
  }
}
