internal import Glibc

/// The two places that a demo writes to.
enum Output {
  /// Figures, for whoever asked.
  static func say(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// What goes on, for whoever waits.
  static func talk(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: CInt) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      // A reader that went away is no reason to leave daemons behind.
      if count < 0 && errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
