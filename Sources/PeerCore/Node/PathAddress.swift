/// A place to which packets for a peer can be sent: an address, a port and an interface.
///
/// The logic compares paths and hands them back; what the bytes mean is the network's matter.
public struct PathAddress: Hashable, Comparable, Sendable {
  /// The longest address, in bytes.
  public static let longestAddress = 16

  /// The interface's index; 0: whichever the routing says.
  public let interface: UInt32
  /// The address in network order, 16 bytes at most.
  public let address: [UInt8]
  public let port: UInt16

  /// Makes a path of its parts.
  public init(interface: UInt32, address: [UInt8], port: UInt16) {
    precondition(
      address.count <= Self.longestAddress, "an address has 16 bytes at most, not \(address.count)")
    self.interface = interface
    self.address = address
    self.port = port
  }

  /// The same place with another port.
  public func with(port: UInt16) -> PathAddress {
    PathAddress(interface: interface, address: address, port: port)
  }

  /// The same place by whichever interface the routing says.
  public var anywhere: PathAddress { PathAddress(interface: 0, address: address, port: port) }

  /// Whether the address is IPv6 and means something on its own interface only.
  public var isLinkLocal6: Bool {
    address.count == 16 && address[0] == 0xfe && address[1] & 0xc0 == 0x80
  }

  public static func < (one: PathAddress, other: PathAddress) -> Bool {
    if one.interface != other.interface { return one.interface < other.interface }
    if one.address != other.address { return one.address.lexicographicallyPrecedes(other.address) }
    return one.port < other.port
  }
}

extension PathAddress: CustomStringConvertible {
  /// The address and port as people write them: `192.168.1.20:4711`, `[fe80:…:1]:4711`.
  public var description: String {
    if address.count == 4 { return address.map(String.init).joined(separator: ".") + ":\(port)" }
    let groups = stride(from: 0, to: address.count - 1, by: 2).map { place in
      String(UInt16(address[place]) << 8 | UInt16(address[place + 1]), radix: 16)
    }
    return "[" + groups.joined(separator: ":") + "]:\(port)"
  }
}
