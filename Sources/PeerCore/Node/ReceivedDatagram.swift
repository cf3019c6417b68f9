public import Units

/// A datagram as the network handed it over.
public struct ReceivedDatagram: Hashable, Sendable {
  public let bytes: [UInt8]
  /// Where it came from; an answer goes there.
  public let path: PathAddress
  /// When it arrived, in this host's time.
  public let stamp: HostInstant
  public let stampKind: StampKind
  /// Whether it came by multicast, which tells that multicast works between the two hosts.
  public let wasMulticast: Bool

  /// Makes a datagram of its parts.
  public init(
    bytes: [UInt8], path: PathAddress, stamp: HostInstant, stampKind: StampKind,
    wasMulticast: Bool = false
  ) {
    self.bytes = bytes
    self.path = path
    self.stamp = stamp
    self.stampKind = stampKind
    self.wasMulticast = wasMulticast
  }
}
