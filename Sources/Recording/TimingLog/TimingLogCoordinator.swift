public import Units

/// Whose clock shared time is measured against from here on.
public struct TimingLogCoordinator: Hashable, Sendable, Codable {
  /// When this host learnt of it, by its own clock.
  public let host: HostInstant
  /// The coordinator.
  public let coordinator: PeerID

  /// Makes an entry of its parts.
  public init(
    host: HostInstant, coordinator: PeerID
  ) {
    self.host = host
    self.coordinator = coordinator
  }

  private enum CodingKeys: String, CodingKey {
    case host = "host_ns"
    case coordinator
  }
}
