public import Units

/// A reading of a calendar and a wall clock, at a fixed offset from UTC.
public struct CivilTime: Hashable, Sendable {
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int
  /// Nanoseconds since the day's midnight; 0 and below 86 400 s.
  public let nanosecondsOfDay: Int64

  private static let day: Int64 = 86_400_000_000_000

  /// The civil time `utcOffsetSeconds` east of UTC, at `unixNanoseconds` since 1970 UTC.
  public init(unixNanoseconds: Int64, utcOffsetSeconds: Int32) {
    let local = unixNanoseconds + Int64(utcOffsetSeconds) * 1_000_000_000
    let days = Int((local - Self.floorModulo(local, Self.day)) / Self.day)
    nanosecondsOfDay = Self.floorModulo(local, Self.day)
    (year, month, day) = Self.date(daysSince1970: days)
  }

  /// The civil time of `session` at the shared time `instant`.
  public init(at instant: SharedInstant, in session: Session) {
    self.init(
      unixNanoseconds: session.unixNanoseconds(at: instant),
      utcOffsetSeconds: session.utcOffsetSeconds)
  }

  /// Such as `2026-11-30`.
  public var dateText: String {
    "\(ASCII.decimal(year, digits: 4))-\(ASCII.decimal(month, digits: 2))-"
      + ASCII.decimal(day, digits: 2)
  }

  /// Hours, minutes and seconds, such as `12:39:59`.
  public var timeText: String {
    let seconds = nanosecondsOfDay / 1_000_000_000
    return [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { ASCII.decimal($0, digits: 2) }.joined(separator: ":")
  }

  /// Counts eras of 400 years from 0000-03-01 (H. Hinnant, "chrono-compatible low-level date
  /// algorithms").
  private static func date(daysSince1970 days: Int) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let calendarMonth = month < 10 ? month + 3 : month - 9
    return (year + era * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth, day)
  }

  private static func floorModulo(_ value: Int64, _ modulus: Int64) -> Int64 {
    let rest = value % modulus
    return rest < 0 ? rest + modulus : rest
  }
}
