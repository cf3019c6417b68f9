/// How a session counts timecode: at which rate, from where, and with which user bits.
///
/// As text, such as `25`, `29.97DF offset=-01:00:00;00` or `24 free-run=10:00:00:00
/// user-bits=0A1B2C3D`, it travels from host to host and is read back.
public struct TimecodeSetting: Hashable, Sendable {
  /// Where timecode counts from.
  public enum Mode: Hashable, Sendable {
    /// The label is the session's time of day.
    case timeOfDay
    /// The label at the session's anchor is frame `start` of the day; it runs on from there.
    case freeRun(start: Int64)
    /// The label is the time of day and so many frames more, or fewer.
    case offset(frames: Int64)
  }

  /// What the recorder counts unless told otherwise: 25, time of day.
  public static let usual = TimecodeSetting(rate: .fps25)

  public let rate: FrameRate
  public let mode: Mode
  /// Eight hexadecimal digits; nothing: the date, as ``userBits(on:)`` writes it.
  public let userBits: UInt32?

  /// Makes a setting of its parts.
  public init(rate: FrameRate, mode: Mode = .timeOfDay, userBits: UInt32? = nil) {
    self.rate = rate
    self.mode = mode
    self.userBits = userBits
  }

  /// The user bits of a file that begins at `time`, eight hexadecimal digits: those that were set,
  /// else day, month and year, such as `30112600`.
  public func userBits(on time: CivilTime) -> String {
    guard let userBits else {
      return [time.day, time.month, time.year % 100, 0]
        .map { ASCII.decimal($0, digits: 2) }.joined()
    }
    let digits = String(userBits, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension TimecodeSetting: LosslessStringConvertible {
  public var description: String {
    var words = [rate.name]
    switch mode {
    case .timeOfDay: break
    case .freeRun(let start): words.append("free-run=\(Timecode(frame: start, rate: rate))")
    case .offset(let frames):
      let size = Timecode(frame: Int64(frames.magnitude), rate: rate)
      words.append("offset=\(frames < 0 ? "-" : "")\(size)")
    }
    if let userBits { words.append("user-bits=\(String(userBits, radix: 16, uppercase: true))") }
    return words.joined(separator: " ")
  }

  /// Reads what ``description`` writes; nothing where `text` is none of it.
  public init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first, let rate = FrameRate(first) else { return nil }
    var mode = Mode.timeOfDay
    var userBits: UInt32?
    for word in words.dropFirst() {
      if word.hasPrefix("user-bits=") {
        guard let bits = Self.userBits(String(word.dropFirst(10))) else { return nil }
        userBits = bits
      } else {
        guard let read = Mode(word, rate: rate) else { return nil }
        mode = read
      }
    }
    self.init(rate: rate, mode: mode, userBits: userBits)
  }

  /// Reads user bits: one to eight hexadecimal digits.
  public static func userBits(_ text: String) -> UInt32? {
    guard (1...8).contains(text.utf8.count), text.allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(text, radix: 16)
  }
}

extension TimecodeSetting.Mode {
  /// Reads `time-of-day`, `free-run` or `free-run=HH:MM:SS:FF`, and `offset=-HH:MM:SS:FF`; nothing
  /// where `text` is none, or the label is none at `rate`.
  public init?(_ text: String, rate: FrameRate) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let label = parts.count == 2 ? String(parts[1]) : nil
    switch (parts.first, label) {
    case ("time-of-day", nil): self = .timeOfDay
    case ("free-run", nil): self = .freeRun(start: 0)
    case ("free-run", let label?):
      guard let code = Timecode(label, rate: rate) else { return nil }
      self = .freeRun(start: code.frame)
    case ("offset", let label?):
      let isNegative = label.hasPrefix("-")
      let digits = label.drop { $0 == "-" || $0 == "+" }
      guard label.count - digits.count <= 1, let code = Timecode(String(digits), rate: rate) else {
        return nil
      }
      self = .offset(frames: isNegative ? -code.frame : code.frame)
    default: return nil
    }
  }
}
