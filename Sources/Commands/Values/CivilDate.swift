/// Civil times as RFC 3339 writes them, such as `2026-05-01T20:15:00.25+02:00`.
enum CivilDate {
  /// Reads a time; nothing where `text` is none or lies outside 1970 to 2200. The zone must be
  /// said: `Z` or an offset. Of the fraction nine digits count; a leap second is the one after.
  static func parse(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard (20...40).contains(bytes.count) else { return nil }
    var reader = Reader(bytes: bytes[...])
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2),
      reader.take("T") || reader.take("t")
        || reader.take(" "),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
      reader.take(":"), let second = reader.number(2), let fraction = reader.fraction(),
      let offset = reader.zone(), reader.bytes.isEmpty
    else { return nil }
    guard (1970...2200).contains(year), (1...12).contains(month),
      (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = dayNumber(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    return Int64(seconds) * 1_000_000_000 + Int64(fraction)
  }

  /// The time of day of `unixNanoseconds` in a zone `offsetSeconds` east, to the millisecond.
  static func timeOfDay(unixNanoseconds: Int64, offsetSeconds: Int) -> String {
    let milliseconds = unixNanoseconds / 1_000_000 + Int64(offsetSeconds) * 1000
    let day: Int64 = 86_400_000
    let rest = Int(((milliseconds % day) + day) % day)
    let hour = Decimals.padded(rest / 3_600_000, width: 2)
    let minute = Decimals.padded(rest / 60_000 % 60, width: 2)
    let second = Decimals.padded(rest / 1000 % 60, width: 2)
    return "\(hour):\(minute):\(second).\(Decimals.padded(rest % 1000, width: 3))"
  }

  /// The date and time of `unixNanoseconds` in a zone `offsetSeconds` east, as ``parse(_:)`` reads
  /// it, to the millisecond.
  static func text(unixNanoseconds: Int64, offsetSeconds: Int) -> String {
    let second: Int64 = 1_000_000_000
    let below = unixNanoseconds % second < 0 ? 1 : 0
    let local = Int(unixNanoseconds / second) - below + offsetSeconds
    let (year, month, day) = date(ofDay: local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)
    let date = [
      Decimals.padded(year, width: 4), Decimals.padded(month, width: 2),
      Decimals.padded(day, width: 2),
    ].joined(separator: "-")
    let time = timeOfDay(unixNanoseconds: unixNanoseconds, offsetSeconds: offsetSeconds)
    guard offsetSeconds != 0 else { return "\(date)T\(time)Z" }
    let minutes = abs(offsetSeconds) / 60
    let zone =
      Decimals.padded(minutes / 60, width: 2) + ":" + Decimals.padded(minutes % 60, width: 2)
    return "\(date)T\(time)\(offsetSeconds < 0 ? "-" : "+")\(zone)"
  }

  /// The date `days` after 1970-01-01, after Howard Hinnant's `civil_from_days`.
  private static func date(ofDay days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01, after Howard Hinnant's `days_from_civil`, for years from 1970 on.
  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard bytes.first == UInt8(ascii: character) else { return false }
      bytes.removeFirst()
      return true
    }

    mutating func digit() -> Int? {
      guard let byte = bytes.first, (0x30...0x39).contains(byte) else { return nil }
      bytes.removeFirst()
      return Int(byte - 0x30)
    }

    mutating func number(_ count: Int) -> Int? {
      var value = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// Nanoseconds behind the point, if there is one.
    mutating func fraction() -> Int? {
      guard take(".") else { return 0 }
      var value = 0
      var count = 0
      while let digit = digit() {
        if count < 9 { value = value * 10 + digit }
        count += 1
      }
      guard count > 0 else { return nil }
      return (count..<max(count, 9)).reduce(value) { value, _ in value * 10 }
    }

    /// Seconds east of UTC.
    mutating func zone() -> Int? {
      if take("Z") || take("z") { return 0 }
      let sign = take("+") ? 1 : take("-") ? -1 : 0
      guard sign != 0, let hours = number(2), take(":"), let minutes = number(2), hours < 24,
        minutes < 60
      else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
