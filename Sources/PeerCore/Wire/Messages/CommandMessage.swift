public import Units

/// Something to be done, once.
public struct CommandMessage: Hashable, Sendable {
  /// The longest type, in bytes of UTF-8.
  public static let longestType = 64
  /// The longest payload, in bytes.
  public static let longestPayload = 60 * 1024

  public let id: CommandID
  public let type: String
  public let payload: [UInt8]
  /// After this shared instant the command is void.
  public let expires: SharedInstant?

  /// Makes a command.
  public init(id: CommandID, type: String, payload: [UInt8], expires: SharedInstant?) {
    self.id = id
    self.type = type
    self.payload = payload
    self.expires = expires
  }
}
