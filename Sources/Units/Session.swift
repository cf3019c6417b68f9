/// A timeline that hosts share, and its place in civil time.
///
/// Minted once by the first coordinator and the same on every host ever after: later steps of a
/// wall clock change nothing.
public struct Session: Hashable, Sendable, Codable {
  public let id: SessionID
  /// The shared instant whose civil time is known, as a rule ``SharedInstant/sessionStart``.
  public let anchor: SharedInstant
  /// The civil time at `anchor`: nanoseconds since 1970-01-01T00:00:00 UTC by the minting host.
  public let anchorUnixNanoseconds: Int64
  /// How far the minting host's wall clock may have been off, in nanoseconds.
  public let anchorErrorNanoseconds: Int64
  /// The session's one offset from UTC, in seconds east; summer time does not change it.
  public let utcOffsetSeconds: Int32
  /// The session that the minting host was in before, if it knew one: the two have no common
  /// timeline but their anchors' civil time.
  public let previous: SessionID?

  /// Makes a session of its parts.
  public init(
    id: SessionID, anchor: SharedInstant = .sessionStart, anchorUnixNanoseconds: Int64,
    anchorErrorNanoseconds: Int64, utcOffsetSeconds: Int32, previous: SessionID? = nil
  ) {
    self.id = id
    self.anchor = anchor
    self.anchorUnixNanoseconds = anchorUnixNanoseconds
    self.anchorErrorNanoseconds = anchorErrorNanoseconds
    self.utcOffsetSeconds = utcOffsetSeconds
    self.previous = previous
  }

  /// The civil time at `instant`: nanoseconds since 1970-01-01T00:00:00 UTC.
  public func unixNanoseconds(at instant: SharedInstant) -> Int64 {
    anchorUnixNanoseconds + (instant.nanoseconds - anchor.nanoseconds)
  }

  /// The shared instant at which the civil time is `unixNanoseconds` since 1970 UTC.
  public func instant(atUnixNanoseconds unixNanoseconds: Int64) -> SharedInstant {
    SharedInstant(nanoseconds: anchor.nanoseconds + (unixNanoseconds - anchorUnixNanoseconds))
  }
}
