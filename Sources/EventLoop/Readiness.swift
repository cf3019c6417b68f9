/// What a watched descriptor is ready for.
public struct Readiness: Hashable, Sendable {
  /// There is something to read, or the end.
  public let readable: Bool
  /// There is room to write.
  public let writable: Bool
  /// An error is pending, or the other end is gone. Stamps on an error queue show as this too.
  public let broken: Bool
}
