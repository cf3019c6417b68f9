/// A format that files may have and this reader does not know, such as 8 bits or ADPCM.
public struct UnknownFormat: Hashable, Sendable {
  /// `wFormatTag`, of the sub-format where the format is an extensible one.
  public let tag: UInt16
  public let channels: UInt16
  public let bits: UInt16

  /// Reads a chunk's body; nothing where it says nothing at all, being short or zeros.
  init?(_ body: [UInt8]) {
    var reader = ByteReader(body)
    guard body.contains(where: { $0 != 0 }), let tag = reader.integer(UInt16.self),
      let channels = reader.integer(UInt16.self), reader.take(10) != nil,
      let bits = reader.integer(UInt16.self)
    else { return nil }
    let inner = reader.take(8) == nil ? nil : reader.integer(UInt16.self)
    self.tag = tag == FormatChunk.Tag.extensible ? inner ?? tag : tag
    self.channels = channels
    self.bits = bits
  }
}
