internal import Glibc

/// The one place that writes to standard output and standard error.
struct Terminal: Sendable {
  /// When colours are used.
  enum Color: String, Sendable {
    case auto
    case always
    case never
  }

  /// A colour that stands beside a word, never alone.
  enum Tint: String, Sendable {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case bold = "1"
  }

  let isColored: Bool
  /// Whether somebody watches standard output, and standard error.
  let isWatched: Bool
  let isTalkWatched: Bool
  /// How wide the screen is that shows standard output; nothing where none does.
  let columns: Int?

  init(color: Color, environment: (String) -> String?) {
    isWatched = isatty(STDOUT_FILENO) == 1
    isTalkWatched = isatty(STDERR_FILENO) == 1
    columns = isWatched ? Self.size.map(\.columns) : nil
    let isPlain = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    isColored =
      switch color {
      case .always: true
      case .never: false
      case .auto: isWatched && !isPlain && environment("TERM") != "dumb"
      }
  }

  /// The same without colours.
  init(plainLike other: Terminal) {
    isColored = false
    isWatched = other.isWatched
    isTalkWatched = other.isTalkWatched
    columns = other.columns
  }

  /// Columns and rows of the screen behind standard output; nothing where it does not say.
  static var size: (columns: Int, rows: Int)? {
    var found = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &found) == 0, found.ws_col > 0, found.ws_row > 0
    else { return nil }
    return (Int(found.ws_col), Int(found.ws_row))
  }

  /// Writes data.
  func print(_ text: String) { Self.write(text + "\n", to: STDOUT_FILENO) }

  /// Writes what is said to whoever watches.
  func say(_ text: String) { Self.write(text + "\n", to: STDERR_FILENO) }

  /// Writes a sign of life, which the next one replaces; only where somebody watches.
  func sign(_ text: String) {
    if isTalkWatched { Self.write("\r\u{1b}[K" + text, to: STDERR_FILENO) }
  }

  /// Moves to the top of an empty screen.
  func clear() { if isWatched { Self.write("\u{1b}[H\u{1b}[J", to: STDOUT_FILENO) } }

  /// `text` in a colour, where colours are used.
  func tinted(_ text: String, _ tint: Tint) -> String {
    isColored ? "\u{1b}[\(tint.rawValue)m\(text)\u{1b}[0m" : text
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      // Nobody reads any more.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
