public import Units

/// One reading of a host's wall clock that is kept right from outside, by NTP, PTP or GPS, with
/// what the kernel was told of its error.
public struct SystemTimeReading: Hashable, Sendable {
  /// What the kernel will do at the end of the UTC day.
  public enum Leap: String, Hashable, Sendable {
    case none
    /// A second will be inserted.
    case insertion
    /// A second will be left out.
    case deletion
    /// The inserted second is going on.
    case going
    /// It has been inserted or left out.
    case over
  }

  /// When it was read.
  public let host: HostInstant
  /// Nanoseconds since 1970-01-01T00:00:00 UTC.
  public let unixNanoseconds: Int64
  /// How far apart the readings of the host's clock around it were, in nanoseconds.
  public let widthNanoseconds: Int64
  /// Whether anybody vouches for it: false where the kernel says that its clock is not
  /// synchronized (STA_UNSYNC).
  public let isDisciplined: Bool
  /// The error as the discipline estimates it, in nanoseconds.
  public let estimatedErrorNanoseconds: Int64
  /// The error that is not exceeded, in nanoseconds: the kernel lets it grow by 500 ppm between
  /// the discipline's words.
  public let maximumErrorNanoseconds: Int64
  /// TAI − UTC as the kernel has it, in seconds; 0 where nobody told it.
  public let taiOffsetSeconds: Int32
  public let leap: Leap

  /// Makes a reading.
  public init(
    host: HostInstant, unixNanoseconds: Int64, widthNanoseconds: Int64, isDisciplined: Bool,
    estimatedErrorNanoseconds: Int64, maximumErrorNanoseconds: Int64, taiOffsetSeconds: Int32,
    leap: Leap
  ) {
    self.host = host
    self.unixNanoseconds = unixNanoseconds
    self.widthNanoseconds = widthNanoseconds
    self.isDisciplined = isDisciplined
    self.estimatedErrorNanoseconds = estimatedErrorNanoseconds
    self.maximumErrorNanoseconds = maximumErrorNanoseconds
    self.taiOffsetSeconds = taiOffsetSeconds
    self.leap = leap
  }

  /// TAI − UTC since 2017-01-01, when the last leap second was inserted (IERS Bulletin C).
  static let taiOffsetOf2017: Int32 = 37
  /// TAI − UTC when leap seconds began, 1972-01-01: the kernel's count is whole only from there.
  static let smallestTAIOffset: Int32 = 10

  /// How many leap seconds have come since 2017, as far as the kernel knows.
  var leapsSince2017: Int64 {
    // A kernel that was never told the offset counts leaps from 0 on.
    let known = taiOffsetSeconds >= Self.smallestTAIOffset
    return Int64(taiOffsetSeconds - (known ? Self.taiOffsetOf2017 : 0))
  }
}
