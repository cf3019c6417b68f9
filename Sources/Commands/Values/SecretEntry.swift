internal import Glibc

/// A secret that is typed: a line of standard input, unseen where that is a terminal.
enum SecretEntry {
  /// The longest that is read, in bytes.
  private static let longest = 4096

  /// The line, without its end; nothing at the end of input, or where it is no UTF-8.
  static func read(prompt: String) -> String? {
    let isTerminal = isatty(STDIN_FILENO) == 1
    var before = termios()
    let isHidden = isTerminal && tcgetattr(STDIN_FILENO, &before) == 0
    if isHidden {
      var hidden = before
      hidden.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
      write(prompt)
    }
    defer {
      if isHidden {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        write("\n")
      }
    }
    return line()
  }

  private static func line() -> String? {
    var bytes: [UInt8] = []
    while bytes.count < longest {
      var byte: UInt8 = 0
      let count = Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      guard count == 1 else { break }
      if byte == UInt8(ascii: "\n") { return text(bytes) }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : text(bytes)
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    String(validating: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self)
  }

  private static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
