/// "Here I am": by multicast, or to addresses that were given.
public struct Beacon: Hashable, Sendable {
  /// The longest label, in bytes of UTF-8.
  public static let longestLabel = 64
  /// The longest name of a program, in bytes of UTF-8.
  public static let longestSoftware = 32

  /// The port on which the sender takes datagrams.
  public let unicastPort: UInt16
  /// The port on which the sender takes reliable links.
  public let reliablePort: UInt16
  public let label: String
  /// The program and its version, such as `recorder 0.1`.
  public let software: String
  /// What the sender is busy with, and how long its run has lasted: between two that bear one id
  /// these decide.
  public let activity: Activity
  public let uptimeSeconds: UInt32

  /// Makes a beacon; longer texts are cut to their limits.
  public init(
    unicastPort: UInt16, reliablePort: UInt16, label: String, software: String,
    activity: Activity = .idle, uptimeSeconds: UInt32 = 0
  ) {
    self.unicastPort = unicastPort
    self.reliablePort = reliablePort
    self.label = label.cut(toUTF8: Self.longestLabel)
    self.software = software.cut(toUTF8: Self.longestSoftware)
    self.activity = activity
    self.uptimeSeconds = uptimeSeconds
  }
}

extension String {
  /// The longest beginning of the text that takes up to `limit` bytes and cuts no character.
  func cut(toUTF8 limit: Int) -> String {
    if utf8.count <= limit { return self }
    var result = ""
    var length = 0
    for character in self {
      length += character.utf8.count
      if length > limit { break }
      result.append(character)
    }
    return result
  }
}
