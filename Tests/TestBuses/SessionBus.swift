internal import CLinux
internal import Glibc

/// A session bus of a test's own: Debian's dbus-daemon as a child.
public final class SessionBus {
  /// Where it listens, in D-Bus's words.
  public let address: String
  private let pid: Int32
  private let folder: String

  /// Nothing where the bus does not come up.
  public init?() {
    var template = Array("/tmp/session-bus-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    folder = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    let socket = folder + "/bus"
    address = "unix:path=\(socket)"
    let words = [
      "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)",
    ]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    pid = arguments.withUnsafeMutableBufferPointer { words in
      var spawn = linux_spawn(
        path: words[0], arguments: UnsafePointer(words.baseAddress), environment: nil, input: -1,
        output: -1, error: -1)
      return linux_start_process(&spawn)
    }
    guard pid > 0 else { return nil }
    for _ in 0..<500 where access(socket, F_OK) != 0 { usleep(10_000) }
    guard access(socket, F_OK) == 0 else { return nil }
  }

  deinit {
    kill(pid, SIGTERM)
    var status: Int32 = 0
    linux_reap(pid, true, &status)
    unlink(folder + "/bus")
    rmdir(folder)
  }
}
