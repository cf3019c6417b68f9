/// A service as Avahi tells of it: which, and where it is.
public struct AvahiService: Hashable, Sendable {
  /// What it is called, 63 bytes at most.
  public let name: String
  /// The index of the interface on which it was found.
  public let interface: UInt32
  /// A numeric IPv4 or IPv6 address.
  public let address: String
  public let port: UInt16
  /// What it says of itself, as `key=value`.
  public let text: [String]

  /// Makes a service.
  public init(name: String, interface: UInt32, address: String, port: UInt16, text: [String]) {
    self.name = name
    self.interface = interface
    self.address = address
    self.port = port
    self.text = text
  }

  /// The value of `key` in its text; nothing where it does not say.
  public func value(of key: String) -> String? {
    text.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.utf8.count + 1)) }
  }
}
