/// What a host says of itself, key by key.
public struct StatusMessage: Hashable, Sendable {
  /// The longest key, in bytes of UTF-8.
  public static let longestKey = 64
  /// The longest value, in bytes.
  public static let longestValue = 16 * 1024
  /// The most keys of one host.
  public static let mostKeys = 64

  /// A key's value and when it was set, counted in changes of the board; no value: removed.
  public struct Entry: Hashable, Sendable {
    public let key: String
    public let generation: UInt64
    public let value: [UInt8]?

    /// Makes an entry.
    public init(key: String, generation: UInt64, value: [UInt8]?) {
      self.key = key
      self.generation = generation
      self.value = value
    }
  }

  /// How often the board has changed, this message included.
  public let generation: UInt64
  /// The entries that changed since the generation that was asked for.
  public let entries: [Entry]

  /// Makes a message.
  public init(generation: UInt64, entries: [Entry]) {
    self.generation = generation
    self.entries = entries
  }
}
