/// Where a peer may be found, as it is written: `studio`, `10.0.0.7:5000`, `[fe80::1%eth0]:5000`.
struct PeerPlace: Equatable {
  /// A name or a numeric address, without brackets.
  let host: String
  /// Nothing: the usual one.
  let port: UInt16?

  /// Reads a place; nothing where it is none.
  init?(_ text: String) {
    var host = text[...]
    var port: UInt16?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      if !rest.isEmpty {
        guard let number = Self.port(rest.dropFirst()) else { return nil }
        port = number
      }
    } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
      // A second colon makes it an IPv6 address, which has no port without brackets.
      guard let number = Self.port(text[text.index(after: colon)...]) else { return nil }
      host = text[..<colon]
      port = number
    }
    guard !host.isEmpty, host.utf8.count <= 253, !host.contains(where: \.isWhitespace) else {
      return nil
    }
    self.host = String(host)
    self.port = port
  }

  private static func port(_ text: Substring) -> UInt16? {
    UInt16(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
