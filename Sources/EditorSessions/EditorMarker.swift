/// A point on an editor's timeline that bears a text.
public struct EditorMarker: Hashable, Sendable {
  /// In seconds after the project's start.
  public let position: Double
  public let text: String

  /// Makes a marker.
  public init(position: Double, text: String) {
    self.position = position
    self.text = text
  }
}
