internal import CLinux
internal import Glibc
internal import Units

/// The whole terminal, for a program that shows something that moves; put back as it was at the
/// end, whatever the end is.
final class FullScreen {
  /// What came while the screen was shown.
  enum Input: Hashable {
    case nothing
    case key(UInt8)
    /// Ctrl-C, or a signal that ends the program.
    case interrupted
  }

  private var before = termios()
  private let signals: Int32
  private var isShown = true

  /// Takes the terminal; nothing where there is none, or it cannot be had.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      tcgetattr(STDIN_FILENO, &before) == 0
    else { return nil }
    signals = linux_eventfd()
    guard signals >= 0 else { return nil }
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      linux_signal_to_eventfd(signal, signals)
      linux_unblock_signal(signal)
    }
    // Keys one by one and unseen; Ctrl-C is a key too, so that nothing is left half drawn.
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    guard tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else { return nil }
    // Another screen, no cursor, no lines that wrap.
    Self.write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[2J")
  }

  deinit { restore() }

  /// Gives the terminal back.
  func restore() {
    guard isShown else { return }
    isShown = false
    Self.write("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
  }

  /// Columns and rows; 80 × 24 where the terminal does not say.
  var size: (columns: Int, rows: Int) { Terminal.size ?? (80, 24) }

  /// Puts `lines` in place of what was shown; each must fit.
  func show(_ lines: [String]) {
    let rows = lines.prefix(size.rows).map { $0 + "\u{1b}[K" }
    Self.write("\u{1b}[H" + rows.joined(separator: "\r\n") + "\u{1b}[J")
  }

  /// Waits up to `patience` for a key or an end.
  func wait(_ patience: Duration) -> Input {
    var descriptors = [
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(clamping: max(0, patience.wholeNanoseconds / 1_000_000))
    guard poll(&descriptors, 2, milliseconds) > 0 else { return .nothing }
    if descriptors[0].revents != 0 { return .interrupted }
    var key: UInt8 = 0
    // A terminal that is gone gives nothing any more.
    guard read(STDIN_FILENO, &key, 1) == 1 else { return .interrupted }
    return key == 3 ? .interrupted : .key(key)
  }

  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
