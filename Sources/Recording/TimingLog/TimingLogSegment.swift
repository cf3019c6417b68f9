/// The recording goes on in another file, without a gap: its first frame follows this one's last.
public struct TimingLogSegment: Hashable, Sendable, Codable {
  /// The frames in this file.
  public let frame: Int64
  /// The number of the next segment.
  public let next: Int
  /// The sound file that the recording goes on in, without a folder.
  public let nextFile: String

  /// Makes an entry of its parts.
  public init(frame: Int64, next: Int, nextFile: String) {
    self.frame = frame
    self.next = next
    self.nextFile = nextFile
  }

  private enum CodingKeys: String, CodingKey {
    case frame
    case next
    case nextFile = "next_file"
  }
}
