public import Units

/// How the time of the session that this host keeps leads to that of another, which most hosts are
/// in: two groups met during a take.
public struct TimingLogSessionLink: Hashable, Sendable, Codable {
  /// When, by this host's clock.
  public let host: HostInstant
  /// The session that this host is in, and its time then.
  public let session: SessionID
  public let shared: SharedInstant
  /// The other session, and its time then.
  public let otherSession: SessionID
  public let otherShared: SharedInstant
  /// By how much this host's session runs faster, in parts per million.
  public let skewPartsPerMillion: Double
  /// What both may be off by, in nanoseconds.
  public let boundNanoseconds: Int64

  /// Makes an entry of its parts.
  public init(
    host: HostInstant, session: SessionID, shared: SharedInstant, otherSession: SessionID,
    otherShared: SharedInstant, skewPartsPerMillion: Double, boundNanoseconds: Int64
  ) {
    self.host = host
    self.session = session
    self.shared = shared
    self.otherSession = otherSession
    self.otherShared = otherShared
    self.skewPartsPerMillion = skewPartsPerMillion
    self.boundNanoseconds = boundNanoseconds
  }

  private enum CodingKeys: String, CodingKey {
    case host = "host_ns"
    case session
    case shared = "shared_ns"
    case otherSession = "other_session"
    case otherShared = "other_shared_ns"
    case skewPartsPerMillion = "skew_ppm"
    case boundNanoseconds = "bound_ns"
  }
}
