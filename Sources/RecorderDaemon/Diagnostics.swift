internal import Glibc

/// Where the daemon talks: its standard error.
enum Diagnostics {
  static func say(_ text: String) {
    let line = Array("recorder: \(text)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
