internal import CLinux

/// An address of one of this host's network interfaces.
public struct NetworkInterface: Hashable, Sendable {
  /// Such as `eth0`.
  public let name: String
  public let index: UInt32
  /// 4 or 16 bytes in network order.
  public let address: [UInt8]
  public let isUp: Bool
  public let isLoopback: Bool
  public let supportsMulticast: Bool
  public let isPointToPoint: Bool

  /// Whether the address is IPv6 and good on its own link only.
  public var isLinkLocal6: Bool {
    address.count == 16 && address[0] == 0xfe && address[1] & 0xc0 == 0x80
  }

  /// Every address of every interface, up to 256 of them.
  public static func all() throws(SocketError) -> [NetworkInterface] {
    var found = [linux_interface](repeating: linux_interface(), count: 256)
    let count = linux_interfaces(&found, Int32(found.count))
    try check(count, "getifaddrs", "this host's interfaces")
    return found.prefix(Int(count)).map(NetworkInterface.init)
  }

  private init(_ entry: linux_interface) {
    name = withUnsafeBytes(of: entry.name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    index = entry.index
    address = withUnsafeBytes(of: entry.address) {
      Array($0.prefix(entry.family == 4 ? 4 : 16))
    }
    isUp = entry.up
    isLoopback = entry.loopback
    supportsMulticast = entry.multicast
    isPointToPoint = entry.point_to_point
  }
}
