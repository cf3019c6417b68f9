public import Units

/// Where another peer of the group may be reached: where no multicast gets through, those who have
/// only an acquaintance in common find each other so.
///
/// It is a hint of an address and nothing more: whoever lives there has to prove it.
public struct Introduction: Hashable, Sendable {
  public let peer: PeerID
  /// An IPv4 or IPv6 address, in network order: 4 or 16 bytes.
  public let address: [UInt8]
  /// The peer's port for datagrams.
  public let port: UInt16

  /// Makes an introduction of a peer at an address.
  public init(peer: PeerID, address: [UInt8], port: UInt16) {
    precondition(
      address.count == 4 || address.count == PathAddress.longestAddress,
      "an address has 4 or 16 bytes, not \(address.count)")
    self.peer = peer
    self.address = address
    self.port = port
  }
}
