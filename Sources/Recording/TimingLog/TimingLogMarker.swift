public import Units

/// A named frame.
public struct TimingLogMarker: Hashable, Sendable, Codable {
  /// The frame, counted from the file's first.
  public let frame: Int64
  /// What the user called it.
  public let text: String
  /// The instant that was meant, the same in every host's file; nothing for a note of the
  /// recorder's own.
  public let shared: SharedInstant?

  /// Makes an entry of its parts.
  public init(
    frame: Int64, text: String, shared: SharedInstant? = nil
  ) {
    self.frame = frame
    self.text = text
    self.shared = shared
  }

  private enum CodingKeys: String, CodingKey {
    case frame
    case text
    case shared = "shared_ns"
  }
}
