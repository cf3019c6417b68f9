public import Units

/// A peer came, fell silent, or was lost.
public struct ConnectionEvent: Hashable, Sendable {
  /// How a peer stands.
  public enum State: String, Hashable, Sendable, Codable {
    /// It is heard.
    case connected
    /// It has been silent longer than it should be.
    case degraded
    /// It has been silent so long that it counts as gone.
    case disconnected
  }

  /// Whom it is about.
  public let peer: PeerID
  /// How the peer stands from now on.
  public let state: State
  /// When that was noticed, in this host's time.
  public let instant: HostInstant

  /// Makes an event.
  public init(peer: PeerID, state: State, instant: HostInstant) {
    self.peer = peer
    self.state = state
    self.instant = instant
  }
}
