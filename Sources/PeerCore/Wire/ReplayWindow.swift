/// Which of a sender's last 1024 sequence numbers were seen: each has an effect once.
struct ReplayWindow: Sendable {
  /// How far behind the newest a datagram may come.
  static let width: UInt64 = 1024

  private var newest: UInt64
  /// A bit for each number, within the value: of a thousand senders each has a window.
  private var seen = InlineArray<16, UInt64>(repeating: .max)

  /// Begins with everything up to `sequence` seen.
  init(after sequence: UInt64) { newest = sequence }

  /// Whether a datagram of this number would be new.
  func accepts(_ sequence: UInt64) -> Bool {
    if sequence > newest { return true }
    if newest - sequence >= Self.width { return false }
    return seen[word(sequence)] & bit(sequence) == 0
  }

  /// Takes note of a datagram that was accepted.
  mutating func note(_ sequence: UInt64) {
    if sequence > newest {
      let steps = min(sequence - newest, Self.width)
      for step in 0..<steps { clear(sequence - step) }
      newest = sequence
    }
    seen[word(sequence)] |= bit(sequence)
  }

  private mutating func clear(_ sequence: UInt64) { seen[word(sequence)] &= ~bit(sequence) }

  private func word(_ sequence: UInt64) -> Int { Int(sequence % Self.width / 64) }

  private func bit(_ sequence: UInt64) -> UInt64 { 1 << (sequence % 64) }
}
