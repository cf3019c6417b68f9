internal import Glibc

/// Names of machines, as the system's resolver knows them.
enum HostNames {
  /// The numeric addresses of `name`, which may be one already, IPv4's first; none where nobody
  /// knows it.
  static func addresses(of name: String) -> [String] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &found) == 0, let first = found else { return [] }
    defer { freeaddrinfo(first) }
    var addresses: [String] = []
    for entry in sequence(first: first, next: { $0.pointee.ai_next }) {
      guard let address = numeric(entry.pointee), !addresses.contains(address) else { continue }
      addresses.append(address)
    }
    return addresses.filter { !$0.contains(":") } + addresses.filter { $0.contains(":") }
  }

  private static func numeric(_ entry: addrinfo) -> String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = getnameinfo(
      entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard status == 0 else { return nil }
    return String(
      decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
