public import Units

/// What a peer says of itself, key by key, as far as it is known here.
public struct PeerStatus: Hashable, Sendable {
  /// Whose status it is.
  public let peer: PeerID
  /// The values by their keys.
  public let entries: [String: [UInt8]]

  /// Makes a status.
  public init(peer: PeerID, entries: [String: [UInt8]]) {
    self.peer = peer
    self.entries = entries
  }

  /// The value of `key` as text; nothing where there is none, or where it is not UTF-8.
  public func text(forKey key: String) -> String? {
    entries[key].flatMap { String(validating: $0, as: UTF8.self) }
  }
}
