public import Units

/// A session, as `recorder session show --json` gives it.
public struct SessionReport: Hashable, Sendable, Codable {
  public static let schema = "recorder.session/1"

  public var schema = Self.schema
  public var id: SessionID
  /// The shared instant whose civil time is known.
  public var anchorSharedNs: Int64
  /// That civil time, in nanoseconds since 1970-01-01T00:00:00 UTC.
  public var anchorUnixNs: Int64
  /// How far the wall clock that it was read from may have been off.
  public var anchorErrorNs: Int64
  /// The session's offset from UTC, in seconds east.
  public var utcOffsetSeconds: Int
  /// How long ago the session's anchor was; nothing while the host is unsynced.
  public var ageNs: Int64?

  /// Makes a report of `session` when shared time is `now`.
  public init(_ session: Session, now: SharedInstant?) {
    id = session.id
    anchorSharedNs = session.anchor.nanoseconds
    anchorUnixNs = session.anchorUnixNanoseconds
    anchorErrorNs = session.anchorErrorNanoseconds
    utcOffsetSeconds = Int(session.utcOffsetSeconds)
    ageNs = now.map { $0.nanoseconds - session.anchor.nanoseconds }
  }

  private enum CodingKeys: String, CodingKey {
    case schema
    case id
    case anchorSharedNs = "anchor_shared_ns"
    case anchorUnixNs = "anchor_unix_ns"
    case anchorErrorNs = "anchor_error_ns"
    case utcOffsetSeconds = "utc_offset_s"
    case ageNs = "age_ns"
  }
}
