/// A named frame.
public struct TimingLogMarker: Hashable, Sendable, Codable {
  /// The frame, counted from the file's first.
  public let frame: Int64
  /// What the user called it.
  public let text: String

  /// Makes an entry of its parts.
  public init(
    frame: Int64, text: String
  ) {
    self.frame = frame
    self.text = text
  }

  private enum CodingKeys: String, CodingKey {
    case frame
    case text
  }
}
