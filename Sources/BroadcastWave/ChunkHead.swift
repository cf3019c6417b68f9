/// The eight bytes in front of a chunk's body, where they can be such.
struct ChunkHead {
  let name: String
  let size: UInt64

  /// What may stand behind the audio, as far as it is looked for in bytes that could be audio:
  /// what recorders and editors put there.
  static let tailNames: [String] = [
    "cue ", "LIST", "bext", "iXML", "axml", "chna", "id3 ", "ID3 ", "_PMX", "smpl", "inst", "JUNK",
    "junk", "PAD ", "FLLR", "minf", "elm1", "regn", "umid", "afsp", "plst", "SMED", "cart",
  ]

  /// Whether the name is one that chunks bear, so that audio hardly spells it.
  var isKnown: Bool {
    Self.tailNames.contains(name) || ["fmt ", "fact", "ds64", "PEAK", "data"].contains(name)
  }

  /// Nothing where the name is not of printable characters.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= 8, bytes.prefix(4).allSatisfy({ (32..<127).contains($0) }) else {
      return nil
    }
    var reader = ByteReader(Array(bytes.prefix(8)))
    guard let name = reader.name(), let size = reader.integer(UInt32.self) else { return nil }
    self.name = name
    self.size = UInt64(size)
  }

  /// Whether the body ends within `room` bytes; its pad byte may be missing at a file's end.
  func fits(in room: UInt64) -> Bool { size <= room }

  /// Whether `bytes` are chunks and nothing else, one behind the other, up to their end.
  static func areChunks(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
    var rest = bytes[...]
    for _ in 0..<WaveReader.chunkLimit {
      guard let head = ChunkHead(rest), head.fits(in: UInt64(rest.count - 8)) else { return false }
      rest = rest.dropFirst(8 + Int(head.size))
      if rest.isEmpty { return true }
      if head.size % 2 == 1 {
        // Some leave the pad byte out.
        let padded = rest.dropFirst()
        if padded.isEmpty { return true }
        if ChunkHead(padded)?.fits(in: UInt64(max(0, padded.count - 8))) == true { rest = padded }
      }
    }
    return false
  }
}
