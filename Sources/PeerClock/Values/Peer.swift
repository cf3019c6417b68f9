public import Units

/// Another host of the group, as this one knows it.
public struct Peer: Hashable, Sendable, Identifiable {
  public let id: PeerID
  /// The name that its owner gave it; it need not be the only one of the name.
  public let label: String
  /// The program that runs there, and its version.
  public let software: String
  /// How the peer stands.
  public let state: ConnectionEvent.State
  /// Whether its clock is the one that the others follow.
  public let isCoordinator: Bool

  /// Makes a peer.
  public init(
    id: PeerID, label: String, software: String, state: ConnectionEvent.State, isCoordinator: Bool
  ) {
    self.id = id
    self.label = label
    self.software = software
    self.state = state
    self.isCoordinator = isCoordinator
  }
}
