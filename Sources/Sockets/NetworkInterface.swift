internal import CLinux
internal import Glibc

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
  /// What stands behind it.
  public let link: LinkTraits

  /// Makes an interface of its parts; `address` has 4 or 16 bytes.
  public init(
    name: String, index: UInt32, address: [UInt8], isUp: Bool = true, isLoopback: Bool = false,
    supportsMulticast: Bool = true, isPointToPoint: Bool = false, link: LinkTraits = LinkTraits()
  ) {
    self.name = name
    self.index = index
    self.address = address
    self.isUp = isUp
    self.isLoopback = isLoopback
    self.supportsMulticast = supportsMulticast
    self.isPointToPoint = isPointToPoint
    self.link = link
  }

  /// Whether the address is IPv6 and good on its own link only.
  public var isLinkLocal6: Bool {
    address.count == 16 && address[0] == 0xfe && address[1] & 0xc0 == 0x80
  }

  /// The name of the interface with this index; nothing where there is none.
  public static func name(of index: UInt32) -> String? {
    var room = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(index, &room) != nil else { return nil }
    return String(decoding: room.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Every address of every interface, up to 256 of them.
  public static func all() throws(SocketError) -> [NetworkInterface] {
    var found = [linux_interface](repeating: linux_interface(), count: 256)
    let count = linux_interfaces(&found, Int32(found.count))
    try check(count, "getifaddrs", "this host's interfaces")
    var traits: [String: LinkTraits] = [:]
    return found.prefix(Int(count)).map { entry in
      let name = name(of: entry)
      let link = traits[name] ?? LinkTraits(ofInterface: name)
      traits[name] = link
      return NetworkInterface(entry, name: name, link: link)
    }
  }

  private static func name(of entry: linux_interface) -> String {
    withUnsafeBytes(of: entry.name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private init(_ entry: linux_interface, name: String, link: LinkTraits) {
    self.name = name
    self.link = link
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
