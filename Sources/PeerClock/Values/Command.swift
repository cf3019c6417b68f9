public import Units

/// Something that one peer asks others to do, delivered once.
public struct Command: Hashable, Sendable {
  /// What is to be done, such as `recorder.start`: up to 64 bytes of UTF-8.
  public let type: String
  /// What more there is to say: up to 60 KiB.
  public let payload: [UInt8]
  /// After this shared instant the command is void; nothing: it never is.
  public let expires: SharedInstant?

  /// Makes a command of a type and its payload.
  public init(type: String, payload: [UInt8] = [], expires: SharedInstant? = nil) {
    self.type = type
    self.payload = payload
    self.expires = expires
  }

  /// Makes a command whose payload is text.
  public init(type: String, payload: String) {
    self.init(type: type, payload: Array(payload.utf8))
  }
}
