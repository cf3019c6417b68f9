public import Units

/// What a node knows of one peer.
public struct PeerSummary: Hashable, Sendable {
  public let peer: PeerID
  public let incarnation: Incarnation
  /// What the peer calls itself; empty until its beacon was heard.
  public let label: String
  public let software: String
  public let liveness: Liveness
  /// When anything was last heard from it.
  public let lastHeard: HostInstant
  public let activity: Activity
  /// The session that the peer lives in, if it has one.
  public let session: SessionID?
  /// Where it is reached.
  public let path: PathAddress
  /// How many paths to it are known.
  public let pathCount: Int
  /// Whether its reliable link is up.
  public let hasLink: Bool
  /// Whether it was lately heard by multicast.
  public let isHeardByMulticast: Bool
}
