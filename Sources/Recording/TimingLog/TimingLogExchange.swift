public import Units

/// A probe and its reply: four readings.
public struct TimingLogExchange: Hashable, Sendable, Codable {
  /// When this host sent the probe, by its own clock.
  public let t1: HostInstant
  /// When the coordinator received it, by the coordinator's clock.
  public let t2: HostInstant
  /// When the coordinator sent the reply, by the coordinator's clock.
  public let t3: HostInstant
  /// When this host received it, by its own clock.
  public let t4: HostInstant
  /// How receiving was stamped: `kernel`, `scheduled` or `user`.
  public let receiveKind: String
  /// How sending was stamped.
  public let transmitKind: String
  /// Which peer replied.
  public let coordinator: PeerID

  /// Makes an entry of its parts.
  public init(
    t1: HostInstant, t2: HostInstant, t3: HostInstant, t4: HostInstant, receiveKind: String,
    transmitKind: String, coordinator: PeerID
  ) {
    self.t1 = t1
    self.t2 = t2
    self.t3 = t3
    self.t4 = t4
    self.receiveKind = receiveKind
    self.transmitKind = transmitKind
    self.coordinator = coordinator
  }

  private enum CodingKeys: String, CodingKey {
    case t1 = "t1_ns"
    case t2 = "t2_ns"
    case t3 = "t3_ns"
    case t4 = "t4_ns"
    case receiveKind = "receive_kind"
    case transmitKind = "transmit_kind"
    case coordinator
  }
}
