public import Units

/// How others find a clock that runs: for whoever announces it by other means than its beacons.
public struct ClockEndpoint: Hashable, Sendable {
  public let peer: PeerID
  /// The port for datagrams, on every address that the clock uses.
  public let port: UInt16
  /// What marks the group's packets, which anybody may see: 16 hexadecimal digits.
  public let groupTag: String
  /// Whether the clock has a group; else it serves this machine alone.
  public let isOnNetwork: Bool
}
