/// What a host has put on the network and taken from it, headers included.
public struct Traffic: Hashable, Sendable {
  /// The length of the Ethernet, IPv4 and UDP headers of a datagram, in bytes.
  static let datagramHeaders = 14 + 20 + 8
  /// The same for a segment of a connection, and the acknowledgement that it brings.
  static let segmentHeaders = 14 + 20 + 32

  public private(set) var sentBytes = 0
  public private(set) var receivedBytes = 0

  /// Takes note of a datagram that was sent; one by multicast counts once.
  mutating func sent(_ bytes: Int) { sentBytes += bytes + Self.datagramHeaders }

  /// Takes note of a datagram that arrived.
  mutating func received(_ bytes: Int) { receivedBytes += bytes + Self.datagramHeaders }

  /// Takes note of what was written to a connection.
  mutating func wrote(_ bytes: Int) { sentBytes += bytes + Self.segmentHeaders }

  /// What was sent and received since `earlier`.
  public func since(_ earlier: Traffic) -> Traffic {
    var rest = self
    rest.sentBytes -= earlier.sentBytes
    rest.receivedBytes -= earlier.receivedBytes
    return rest
  }
}
