internal import Units

/// Durations as people write them: `3s`, `500ms`, `1m30s`, `1.5s`.
enum DurationText {
  /// The longest, in seconds: a year of 366 days.
  static let longestSeconds: Int64 = 366 * 86_400

  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ns", 1), ("us", 1000), ("\u{b5}s", 1000), ("\u{3bc}s", 1000), ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000), ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
  ]

  /// Reads a duration, which may begin with a minus; nothing where `text` is none. A number
  /// without a unit means seconds.
  static func parse(_ text: String) -> Duration? {
    var rest = Substring(text)
    let isNegative = rest.hasPrefix("-")
    if isNegative { rest.removeFirst() }
    guard !rest.isEmpty, rest.utf8.count <= 40 else { return nil }
    var total: Int64 = 0
    var last = Int64.max
    while !rest.isEmpty {
      guard let number = takeNumber(&rest) else { return nil }
      let letters = rest.prefix { !$0.isNumber }
      rest = rest.dropFirst(letters.count)
      // Units go down, so that none stands twice; a bare number stands alone.
      let isBare = letters.isEmpty && rest.isEmpty && last == .max
      guard let unit = isBare ? 1_000_000_000 : unit(letters), unit < last else { return nil }
      last = unit
      guard let part = number.times(unit) else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(part)
      guard !overflow, sum <= longestSeconds * 1_000_000_000 else { return nil }
      total = sum
    }
    return .nanoseconds(isNegative ? -total : total)
  }

  private static func unit(_ name: Substring) -> Int64? {
    units.first { $0.name == name }?.nanoseconds
  }

  /// A number of at most 18 digits, `numerator` of `denominator`.
  private struct Decimal {
    var numerator: Int64
    var denominator: Int64

    /// The product, to the nanosecond below; nothing where it is out of range.
    func times(_ unit: Int64) -> Int64? {
      let (high, low) = numerator.multipliedFullWidth(by: unit)
      guard high < denominator else { return nil }
      return denominator.dividingFullWidth((high, low)).quotient
    }
  }

  private static func takeNumber(_ text: inout Substring) -> Decimal? {
    var value = Decimal(numerator: 0, denominator: 1)
    var digits = 0
    var fraction = false
    while let character = text.first {
      if character == ".", !fraction, digits > 0 {
        fraction = true
      } else if character.isASCII, let digit = character.wholeNumberValue, digits < 18 {
        value.numerator = value.numerator * 10 + Int64(digit)
        if fraction { value.denominator *= 10 }
        digits += 1
      } else {
        break
      }
      text.removeFirst()
    }
    let endsWell = !fraction || value.denominator > 1
    return digits > 0 && endsWell ? value : nil
  }

  /// A duration in the two largest units that say something: `13h32`, `48m`, `5.0 s`, `250 ms`.
  static func short(_ duration: Duration) -> String {
    let seconds = duration.inSeconds
    let sign = seconds < 0 ? "−" : ""
    let size = abs(seconds)
    if size < 0.9995 { return "\(sign)\(Int((size * 1000).rounded())) ms" }
    if size < 59.95 { return "\(sign)\(Decimals.text(size, places: 1)) s" }
    let minutes = Int((size / 60).rounded(.down))
    if minutes < 10 {
      return "\(sign)\(minutes)m\(Decimals.padded(Int(size) % 60, width: 2))"
    }
    if minutes < 60 { return "\(sign)\(minutes)m" }
    if minutes < 100 * 60 {
      return "\(sign)\(minutes / 60)h\(Decimals.padded(minutes % 60, width: 2))"
    }
    return "\(sign)\(minutes / 1440) days"
  }
}
