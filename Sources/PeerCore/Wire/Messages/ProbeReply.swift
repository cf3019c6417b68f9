public import Units

/// The answer to a probe, with the kernel's stamps of earlier answers.
public struct ProbeReply: Hashable, Sendable {
  /// When an earlier reply left, which was not known yet when it did.
  public struct TransmitStamp: Hashable, Sendable {
    /// The probe that the earlier reply answered.
    public let probe: UInt32
    /// When that reply left, in the replier's host time.
    public let instant: HostInstant
    public let kind: StampKind

    /// Makes a stamp.
    public init(probe: UInt32, instant: HostInstant, kind: StampKind) {
      self.probe = probe
      self.instant = instant
      self.kind = kind
    }
  }

  /// The number of earlier replies that a reply has room for.
  public static let transmitStampSlots = 4

  public let id: UInt32
  /// The probe's own `transmit`, given back.
  public let echoedTransmit: HostInstant
  /// When the probe arrived, in the replier's host time.
  public let receive: HostInstant
  public let receiveKind: StampKind
  /// When this reply was sent, by the replier's program, in its host time.
  public let transmit: HostInstant
  /// Kernel stamps of up to four earlier replies to the same peer.
  public let stamps: [TransmitStamp]
  /// The replier's term, if it knows of one.
  public let term: Term?
  /// The replier's own map from its host time to shared time, if it has one.
  public let map: ClockMap?

  /// Makes a reply; of more than four stamps the last four are kept.
  public init(
    id: UInt32, echoedTransmit: HostInstant, receive: HostInstant, receiveKind: StampKind,
    transmit: HostInstant, stamps: [TransmitStamp], term: Term?, map: ClockMap?
  ) {
    self.id = id
    self.echoedTransmit = echoedTransmit
    self.receive = receive
    self.receiveKind = receiveKind
    self.transmit = transmit
    self.stamps = Array(stamps.suffix(Self.transmitStampSlots))
    self.term = term
    self.map = map
  }
}
