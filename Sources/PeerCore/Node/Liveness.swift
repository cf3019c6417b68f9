/// How well a peer is heard.
public enum Liveness: UInt8, Hashable, Sendable, Codable {
  /// Heard lately.
  case connected
  /// Silent for longer than it should be.
  case degraded
  /// Silent for so long that nobody counts on it.
  case disconnected
}
