public import Units

/// How a stamp of a packet was taken.
public enum PacketStampKind: UInt8, Hashable, Sendable {
  /// By the kernel, as the packet entered or left the driver.
  case kernel
  /// By the kernel, as the packet was queued for the driver.
  case scheduled
  /// By the program, before its call or after it.
  case userSpace
}

/// A datagram that arrived.
public struct Packet: Sendable {
  public let bytes: [UInt8]
  public let sender: SocketAddress
  /// When it arrived, in this host's time.
  public let stamp: HostInstant
  public let stampKind: PacketStampKind
}

/// The kernel's word on when a datagram left.
public struct SendStamp: Sendable {
  /// What was sent, with the link's and the network's headers in front of it.
  public let frame: [UInt8]
  public let stamp: HostInstant
  public let kind: PacketStampKind
}
