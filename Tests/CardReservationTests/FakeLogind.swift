import CLinux
import CSystemd
import Glibc
import Synchronization

/// A logind that gives out inhibitors, as systemd's does, or refuses them.
final class FakeLogind: Sendable {
  private let shallStop = Atomic<Bool>(false)
  private let ready = Atomic<Bool>(false)
  nonisolated(unsafe) private var thread = pthread_t()
  private let address: String
  private let refuses: Bool
  /// The reading ends of what was given out: they end when the inhibitor does.
  let given = Mutex<[Int32]>([])
  let reasons = Mutex<[String]>([])

  init(address: String, refuses: Bool = false) {
    self.address = address
    self.refuses = refuses
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<FakeLogind>.fromOpaque(argument).takeUnretainedValue().serve()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    while !ready.load(ordering: .acquiring) { usleep(1000) }
  }

  /// Ends it; call before the value goes.
  func stop() {
    shallStop.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }

  /// Whether every inhibitor that was given out is over, waiting up to two seconds.
  var areAllOver: Bool {
    given.withLock { given in
      given.allSatisfy { end in
        var descriptor = pollfd(fd: end, events: 0, revents: 0)
        return poll(&descriptor, 1, 2000) > 0 && descriptor.revents & Int16(POLLHUP) != 0
      }
    }
  }

  private func serve() {
    var made: OpaquePointer?
    sd_bus_new(&made)
    sd_bus_set_address(made, address)
    sd_bus_set_bus_client(made, 1)
    sd_bus_start(made)
    sd_bus_add_object(
      made, nil, "/org/freedesktop/login1",
      { message, context, _ in
        guard let context,
          sd_bus_message_is_method_call(message, "org.freedesktop.login1.Manager", "Inhibit") > 0
        else { return 0 }
        Unmanaged<FakeLogind>.fromOpaque(context).takeUnretainedValue().answer(message)
        return 1
      }, Unmanaged.passUnretained(self).toOpaque())
    sd_bus_request_name(made, "org.freedesktop.login1", 0)
    ready.store(true, ordering: .releasing)
    while !shallStop.load(ordering: .relaxed) {
      while sd_bus_process(made, nil) > 0 {}
      sd_bus_wait(made, 20_000)
    }
    sd_bus_flush_close_unref(made)
  }

  private func answer(_ message: OpaquePointer?) {
    var words: [String] = []
    for _ in 0..<4 {
      var text: UnsafePointer<CChar>?
      sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text)
      words.append(text.map { String(cString: $0) } ?? "")
    }
    reasons.withLock { $0.append(words.joined(separator: "|")) }
    var reply: OpaquePointer?
    if refuses {
      var error = sd_bus_error()
      sd_bus_error_set(&error, "org.freedesktop.DBus.Error.AccessDenied", "not you")
      sd_bus_message_new_method_error(message, &reply, &error)
      sd_bus_error_free(&error)
    } else {
      var ends: [Int32] = [0, 0]
      linux_pipe(&ends)
      given.withLock { $0.append(ends[0]) }
      sd_bus_message_new_method_return(message, &reply)
      sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "h")), &ends[1])
      close(ends[1])
    }
    sd_bus_send(nil, reply, nil)
    sd_bus_message_unref(reply)
  }
}
