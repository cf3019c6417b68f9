/// A file of a take as the host has it that recorded it.
public struct TakeFile: Hashable, Sendable, Codable {
  /// Its name in the take.
  public var name: String
  /// Another name that it has there now.
  public var presentName: String?
  /// The folder of the take, as `<session>/<take>`.
  public var folder: String
  /// Nothing for one that is missing there.
  public var bytes: Int64?
  /// SHA-256 in hexadecimal as the take's list has it; nothing where it does not say.
  public var sha256: String?

  /// Makes a file that is missing.
  public init(name: String, folder: String) {
    self.name = name
    self.folder = folder
  }

  private enum CodingKeys: String, CodingKey {
    case name, folder, bytes, sha256
    case presentName = "present_name"
  }
}
