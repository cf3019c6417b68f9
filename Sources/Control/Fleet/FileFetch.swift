public import Units

/// A piece of a take's file that one daemon asks another for.
public struct FileFetch: Codable, Sendable {
  /// The type of the commands that ask.
  public static let type = "recorder.fetch"
  /// The longest piece, in bytes: a command carries 60 KiB.
  public static let longestPiece = 56 << 10

  /// Which asking, so that the piece finds it.
  public let number: UInt64
  public let take: TakeID
  /// The file's present name.
  public let name: String
  /// Where the piece begins, in bytes.
  public let offset: Int64
  /// How many bytes are wanted.
  public let count: Int

  /// Asks for `count` bytes of the file `name` of `take`, from `offset` on.
  public init(number: UInt64, take: TakeID, name: String, offset: Int64, count: Int) {
    self.number = number
    self.take = take
    self.name = name
    self.offset = offset
    self.count = count
  }
}
