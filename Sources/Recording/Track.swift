/// What one of a card's channels is called.
public struct Track: Hashable, Sendable, Codable {
  /// The longest name, in characters.
  public static let longestName = 64

  /// The card's channel, counted from 1.
  public let channel: Int
  public let name: String

  /// Names a channel; a longer name is cut.
  public init(channel: Int, name: String) {
    self.channel = channel
    self.name = String(name.prefix(Self.longestName))
  }
}
