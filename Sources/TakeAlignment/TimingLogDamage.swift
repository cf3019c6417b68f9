/// The lines of a timing log that are no whole entries, and were passed over.
struct TimingLogDamage: Hashable, Sendable {
  /// How many lines are told by their numbers.
  static let mostNumbers = 8

  /// How many lines within the log are damaged.
  private(set) var count = 0
  /// The numbers of the first of them, from 1.
  private(set) var numbers: [Int] = []
  /// Whether the log ends in the middle of a line.
  private(set) var isTorn = false

  /// Takes note of line `number`; the last has no line's end where it `isTorn`.
  mutating func add(_ number: Int, isTorn: Bool) {
    if isTorn {
      self.isTorn = true
      return
    }
    count += 1
    if numbers.count < Self.mostNumbers { numbers.append(number) }
  }

  /// What to look at, in sentences.
  var warnings: [String] {
    var warnings: [String] = []
    if count > 0 {
      let which = numbers.map(String.init).joined(separator: ", ")
      let more = count > numbers.count ? " and \(count - numbers.count) more" : ""
      warnings.append(
        count == 1
          ? "line \(which) of the timing log is damaged and was passed over"
          : "\(count) lines of the timing log are damaged and were passed over: \(which)\(more)")
    }
    if isTorn { warnings.append("the timing log ends in the middle of a line") }
    return warnings
  }
}
