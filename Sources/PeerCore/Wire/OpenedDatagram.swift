/// A datagram that was opened: what it says, and who says so.
public struct OpenedDatagram: Sendable {
  public let header: WireHeader
  public let message: Message
  /// Whether the sender's run has proved that it lives. Until then a beacon is a hint of an
  /// address, and a challenge may be answered; nothing else is let through.
  public let isProven: Bool
}
