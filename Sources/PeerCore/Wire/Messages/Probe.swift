public import Units

/// "What time is it with you?"
public struct Probe: Hashable, Sendable {
  public let id: UInt32
  /// When it was sent, by the sender's program, in the sender's host time.
  public let transmit: HostInstant

  /// Makes a probe.
  public init(id: UInt32, transmit: HostInstant) {
    self.id = id
    self.transmit = transmit
  }
}
