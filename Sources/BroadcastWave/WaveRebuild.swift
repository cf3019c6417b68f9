/// A new header for audio whose own header is beyond repair in place, and where that audio lies.
///
/// The damaged file stays as it is: the new one is ``head``, then ``body`` of the old one, then
/// ``tail``.
public struct WaveRebuild: Hashable, Sendable {
  /// All that stands before the audio.
  public let head: [UInt8]
  /// The bytes of the old file that follow: the audio, and whole chunks behind it.
  public let body: Range<UInt64>
  /// What ends the new file: a pad byte, or nothing.
  public let tail: [UInt8]

  /// From where on no more chunks are taken over, in bytes.
  static let sizeLimit = 16 << 20

  /// Chunks of the old file that the new one has anew, or that are only room.
  private static let replaced: Set<String> = [
    "RIFF", "RF64", "JUNK", "junk", "PAD ", "FLLR", "ds64", "fmt ", "fact", "data",
  ]

  /// Takes over the whole chunks that stand before the audio.
  init(
    format: WaveFormat, chunks: [ChunkPlace], extent: AudioExtent, audioOffset: UInt64,
    _ read: ChunkScan.Read
  ) throws(WaveError) {
    var writer = ByteWriter()
    writer.raw(WaveHeader.front(format: format))
    for chunk in chunks where !Self.replaced.contains(chunk.name) {
      guard chunk.name.utf8.count == 4, chunk.offset + chunk.bytes <= audioOffset,
        chunk.bytes <= WaveReader.metadataLimit, writer.bytes.count <= Self.sizeLimit
      else { continue }
      writer.name(chunk.name)
      writer.integer(UInt32(chunk.bytes))
      writer.raw(try read(chunk.offset, Int(chunk.bytes)))
      writer.fill(with: 0, count: Int(chunk.bytes % 2))
    }
    writer.name("data")
    body = audioOffset..<extent.fileEnd
    tail = [UInt8](repeating: 0, count: Int(body.count % 2))
    let riff = UInt64(writer.bytes.count) + 4 - 8 + UInt64(body.count) + UInt64(tail.count)
    let isWide = riff >= WaveHeader.riffLimit
    writer.integer(isWide ? UInt32.max : UInt32(extent.bytes))
    let frames = extent.bytes / UInt64(format.bytesPerFrame)
    var bytes = writer.bytes
    if isWide {
      bytes.replaceSubrange(
        0..<48, with: WaveHeader.rf64(riffSize: riff, dataBytes: extent.bytes, frames: frames))
    } else {
      bytes.replaceSubrange(4..<8, with: ByteWriter.bytes(of: UInt32(riff)))
    }
    if let place = FormatChunk(format).frameCountOffset {
      bytes.replaceSubrange(
        (48 + place)..<(52 + place), with: ByteWriter.bytes(of: UInt32(clamping: frames)))
    }
    head = bytes
  }

  /// Makes sure that the new file is read with as many frames as were planned.
  func check(frames: UInt64, _ read: ChunkScan.Read) throws(WaveError) {
    let bodyEnd = UInt64(head.count) + UInt64(body.count)
    let length = bodyEnd + UInt64(tail.count)
    let made = try WaveReader(length: length) { offset, count throws(WaveError) in
      var bytes: [UInt8] = []
      let end = min(offset + UInt64(count), length)
      if offset < UInt64(head.count) {
        bytes += head[Int(offset)..<min(Int(end), head.count)]
      }
      let (from, to) = (max(offset, UInt64(head.count)), min(end, bodyEnd))
      if from < to {
        bytes += try read(body.lowerBound + from - UInt64(head.count), Int(to - from))
      }
      if end > bodyEnd, offset < end { bytes += tail.suffix(Int(end - max(offset, bodyEnd))) }
      return bytes
    }
    guard made.frames == frames else { throw .contradictory }
  }
}
