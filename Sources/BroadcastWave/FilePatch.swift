/// Bytes to write at a place of a file, over what is there.
public struct FilePatch: Hashable, Sendable {
  /// Bytes from the file's beginning.
  public let offset: UInt64
  public let bytes: [UInt8]

  /// Makes a patch of `bytes` at `offset`.
  public init(offset: UInt64, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }
}
