public import Units

/// A session as the timing log writes it.
public struct TimingLogSession: Hashable, Sendable, Codable {
  /// Which session.
  public let id: SessionID
  /// The shared instant whose civil time is known.
  public let anchor: SharedInstant
  /// The civil time at the anchor, in nanoseconds since 1970 UTC.
  public let anchorUnixNanoseconds: Int64
  /// How far the minting host's wall clock may have been off.
  public let anchorErrorNanoseconds: Int64
  /// The session's one offset from UTC, in seconds east.
  public let utcOffsetSeconds: Int32

  /// Makes it of its parts.
  public init(
    id: SessionID, anchor: SharedInstant, anchorUnixNanoseconds: Int64,
    anchorErrorNanoseconds: Int64, utcOffsetSeconds: Int32
  ) {
    self.id = id
    self.anchor = anchor
    self.anchorUnixNanoseconds = anchorUnixNanoseconds
    self.anchorErrorNanoseconds = anchorErrorNanoseconds
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  private enum CodingKeys: String, CodingKey {
    case id
    case anchor = "anchor_shared_ns"
    case anchorUnixNanoseconds = "anchor_unix_ns"
    case anchorErrorNanoseconds = "anchor_error_ns"
    case utcOffsetSeconds = "utc_offset_s"
  }
}

extension TimingLogSession {
  /// Takes down `session`.
  public init(_ session: Session) {
    self.init(
      id: session.id, anchor: session.anchor,
      anchorUnixNanoseconds: session.anchorUnixNanoseconds,
      anchorErrorNanoseconds: session.anchorErrorNanoseconds,
      utcOffsetSeconds: session.utcOffsetSeconds)
  }

  /// The session that was taken down.
  public var session: Session {
    Session(
      id: id, anchor: anchor, anchorUnixNanoseconds: anchorUnixNanoseconds,
      anchorErrorNanoseconds: anchorErrorNanoseconds, utcOffsetSeconds: utcOffsetSeconds)
  }
}
