internal import Sealing
public import Units

/// Shared time taken from the hosts' own disciplined clocks, so that hosts that never meet record
/// on one timeline.
///
/// Its session follows from the configuration alone: all hosts of a group that are configured
/// alike have the same one.
public struct SystemTimeSource: Hashable, Sendable {
  /// The earliest anchor, 2017-01-01T00:00:00 UTC: since then TAI − UTC is known without a table.
  public static let earliestAnchorUnixNanoseconds: Int64 = 1_483_228_800_000_000_000
  /// The latest anchor, 2100-01-01T00:00:00 UTC.
  public static let latestAnchorUnixNanoseconds: Int64 = 4_102_444_800_000_000_000
  /// The furthest offset from UTC, 14 hours, in seconds.
  public static let furthestUTCOffsetSeconds: Int32 = 50_400

  private static let day: Int64 = 86_400_000_000_000

  /// The UTC midnight at which session time is 86,400 s, in nanoseconds since 1970 UTC.
  public let anchorUnixNanoseconds: Int64
  /// The session's offset from UTC, for labels, in seconds east.
  public let utcOffsetSeconds: Int32

  /// Makes a source; nothing where the anchor is no UTC midnight from 2017 to 2100, or the offset
  /// from UTC is over 14 hours.
  public init?(anchorUnixNanoseconds: Int64, utcOffsetSeconds: Int32) {
    guard
      (Self.earliestAnchorUnixNanoseconds...Self.latestAnchorUnixNanoseconds)
        .contains(anchorUnixNanoseconds), anchorUnixNanoseconds % Self.day == 0,
      utcOffsetSeconds.magnitude <= Self.furthestUTCOffsetSeconds.magnitude
    else { return nil }
    self.anchorUnixNanoseconds = anchorUnixNanoseconds
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  /// The session of the group that bears `tag`: its id is the first half of the SHA-256 of the
  /// word `utc`, the tag, the anchor and the offset.
  public func session(groupTag tag: UInt64) -> Session {
    var bytes = Array("peerclock session utc".utf8)
    for value in [
      tag, UInt64(bitPattern: anchorUnixNanoseconds), UInt64(utcOffsetSeconds.magnitude),
    ] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      }
    }
    bytes.append(utcOffsetSeconds < 0 ? 1 : 0)
    var digest = SHA256()
    digest.update(bytes[...])
    guard let id = SessionID(String(digest.hexDigest().prefix(32))) else {
      preconditionFailure("the digest's first 32 digits are an id")
    }
    return Session(
      id: id, anchorUnixNanoseconds: anchorUnixNanoseconds, anchorErrorNanoseconds: 0,
      utcOffsetSeconds: utcOffsetSeconds)
  }
}
