internal import Glibc

/// Where a packet goes or comes from: an address, a port, and an interface where that matters.
public struct SocketAddress: Hashable, Sendable {
  /// 4 or 16 bytes, in network order.
  public let bytes: [UInt8]
  public let port: UInt16
  /// The interface's index; 0: whichever the routing says.
  public let interface: UInt32

  /// Makes an address of its parts; `bytes` are 4 or 16.
  public init(bytes: [UInt8], port: UInt16, interface: UInt32 = 0) {
    precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
    self.bytes = bytes
    self.port = port
    self.interface = interface
  }

  /// Reads a numeric IPv4 or IPv6 address, the latter perhaps with its interface, as in
  /// `fe80::1%eth0`; nothing where `host` is not one, or names an interface that there is not.
  public init?(numeric host: String, port: UInt16, interface: UInt32 = 0) {
    let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    let scope = parts.count == 2 ? Self.index(of: String(parts[1])) : interface
    guard let scope, let first = parts.first else { return nil }
    let host = String(first)
    let interface = scope
    var room = [UInt8](repeating: 0, count: 16)
    if parts.count == 1, inet_pton(AF_INET, host, &room) == 1 {
      self.init(bytes: Array(room.prefix(4)), port: port, interface: interface)
    } else if inet_pton(AF_INET6, host, &room) == 1 {
      self.init(bytes: room, port: port, interface: interface)
    } else {
      return nil
    }
  }

  private static func index(of interface: String) -> UInt32? {
    let index = if_nametoindex(interface)
    return index > 0 ? index : UInt32(interface).flatMap { $0 > 0 ? $0 : nil }
  }

  /// 4 or 6.
  public var family: Int32 { bytes.count == 4 ? 4 : 6 }

  /// Whether the address is this very host's loopback.
  public var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
  }

  /// The numeric address without the port.
  public var host: String {
    var text = [CChar](repeating: 0, count: 64)
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension SocketAddress: CustomStringConvertible {
  public var description: String { bytes.count == 4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}
