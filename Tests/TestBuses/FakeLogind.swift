internal import CLinux
internal import CSystemd
internal import DBus
internal import Glibc
public import Synchronization

/// A logind that gives out inhibitors, as systemd's does, or refuses them.
public final class FakeLogind: Sendable {
  private let server = Mutex<BusServer?>(nil)
  private let refuses: Bool
  /// The reading ends of what was given out: they end when the inhibitor does.
  public let given = Mutex<[Int32]>([])
  /// What it was asked, with bars between the words.
  public let reasons = Mutex<[String]>([])

  /// Serves on the bus at `address`.
  public init(address: String, refuses: Bool = false) {
    self.refuses = refuses
    let made = BusServer(address: address) { [self] connection in
      connection.serve(path: "/org/freedesktop/login1", context: self) { message, context, _ in
        guard let context,
          sd_bus_message_is_method_call(message, "org.freedesktop.login1.Manager", "Inhibit") > 0
        else { return 0 }
        Unmanaged<FakeLogind>.fromOpaque(context).takeUnretainedValue().answer(message)
        return 1
      }
      connection.take("org.freedesktop.login1")
    }
    server.withLock { $0 = made }
  }

  /// Ends it; call before the value goes.
  public func stop() { server.withLock { $0.take() }?.stop() }

  /// Whether every inhibitor that was given out is over, waiting up to two seconds.
  public var areAllOver: Bool {
    given.withLock { given in
      given.allSatisfy { end in
        var descriptor = pollfd(fd: end, events: 0, revents: 0)
        return poll(&descriptor, 1, 2000) > 0 && descriptor.revents & Int16(POLLHUP) != 0
      }
    }
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
