internal import Glibc

/// Where the daemon talks: its standard error.
enum Diagnostics {
  /// The longest line, in bytes: a pipe that has room at all has room for so much.
  private static let longest = 4096

  /// Says a line. One that nobody takes is left out: whoever reads the log may be stuck, and nothing
  /// else waits for that.
  static func say(_ text: String) {
    let line = Array("recorder: \(text)".utf8.prefix(longest - 1)) + [0x0a]
    var room = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&room, 1, 0) > 0 else { return }
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
