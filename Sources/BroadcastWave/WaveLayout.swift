/// Where a file's sizes stand, and what they say.
struct WaveLayout {
  let audioOffset: UInt64
  private let isWide: Bool
  /// Whether the sizes of 64 bits stand where they belong.
  private let hasWide: Bool
  /// The first chunk: `ds64`, or a filler that may become it.
  private let first: (name: String, size: UInt32)
  /// Where `fact` counts the frames.
  private var factOffset: UInt64?
  /// The sizes as told, of the whole file (less 8) and of the audio.
  let riffSize: UInt64
  let dataSize: UInt64

  /// Reads the sizes of a file whose audio begins at `audioOffset`.
  init(audioOffset: UInt64, read: ChunkScan.Read) throws(WaveError) {
    self.audioOffset = audioOffset
    var head = ByteReader(try read(0, 44))
    isWide = head.name() == "RF64"
    let riff = head.integer(UInt32.self) ?? 0
    _ = head.take(4)
    first = (head.name() ?? "", head.integer(UInt32.self) ?? 0)
    let wideRiff = head.integer(UInt64.self) ?? 0
    let wideData = head.integer(UInt64.self) ?? 0
    hasWide = isWide && first.name == "ds64" && first.size >= 28
    var field = ByteReader(try read(audioOffset - 4, 4))
    let data = field.integer(UInt32.self) ?? 0
    riffSize = hasWide && riff == .max ? wideRiff : UInt64(riff)
    dataSize = hasWide && data == .max ? wideData : UInt64(data)
    factOffset = try Self.factOffset(before: audioOffset, read)
  }

  private static func factOffset(
    before end: UInt64, _ read: ChunkScan.Read
  ) throws(WaveError) -> UInt64? {
    var offset: UInt64 = 12
    for _ in 0..<WaveReader.chunkLimit where offset + 8 < end {
      var chunk = ByteReader(try read(offset, 8))
      guard let name = chunk.name(), let size = chunk.integer(UInt32.self) else { return nil }
      if name == "fact" && size >= 4 { return offset + 8 }
      offset += 8 + UInt64(size) + UInt64(size % 2)
    }
    return nil
  }

  /// Whether the sizes agree with each other and with the file, but for a torn last frame behind
  /// all that they tell of.
  func isTrue(length: UInt64, bytesPerFrame: UInt64) -> Bool {
    let (dataEnd, isOver) = audioOffset.addingReportingOverflow(dataSize)
    guard !isOver, riffSize < 1 << 62, hasWide || !isWide else { return false }
    let end = riffSize + 8
    return dataSize % bytesPerFrame == 0 && dataEnd <= end && end <= length
      && length - end < bytesPerFrame && (dataSize > 0 || end - dataEnd < bytesPerFrame)
  }

  /// Whether sizes of 64 bits are missing from a file that says it has them.
  var lacksWide: Bool { isWide && !hasWide }

  /// What makes the sizes true; nothing where the file is too large for its header.
  ///
  /// - Parameters:
  ///   - end: where the last thing ends that the file tells of, but for a pad byte.
  ///   - trailer: what to write behind the audio before the sizes tell of it.
  func patches(
    audioBytes: UInt64, frames: UInt64, end: UInt64, length: UInt64, trailer: FilePatch? = nil
  ) -> [FilePatch]? {
    let padded = max(end, audioOffset + audioBytes + audioBytes % 2)
    let missing = padded > length ? [FilePatch(offset: length, bytes: [0])] : []
    let pad = trailer.map { [$0] } ?? missing
    let riff = padded - 8
    var fact: [FilePatch] = []
    if let factOffset {
      fact = [FilePatch(offset: factOffset, bytes: ByteWriter.bytes(of: UInt32(clamping: frames)))]
    }
    if !hasWide && riff < WaveHeader.riffLimit {
      let form = isWide ? [FilePatch(offset: 0, bytes: Array("RIFF".utf8))] : []
      return pad + form + [
        FilePatch(offset: 4, bytes: ByteWriter.bytes(of: UInt32(riff))),
        FilePatch(offset: audioOffset - 4, bytes: ByteWriter.bytes(of: UInt32(audioBytes))),
      ] + fact
    }
    guard ["ds64", "JUNK", "junk"].contains(first.name), first.size >= 28 else { return nil }
    return pad + [
      FilePatch(offset: 0, bytes: wideHead(riff: riff, data: audioBytes, frames: frames)),
      FilePatch(offset: audioOffset - 4, bytes: [255, 255, 255, 255]),
    ] + fact
  }

  /// The file's first bytes with sizes of 64 bits (EBU Tech 3306), up to ds64's own table.
  private func wideHead(riff: UInt64, data: UInt64, frames: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.name("RF64")
    writer.integer(UInt32.max)
    writer.name("WAVE")
    writer.name("ds64")
    writer.integer(first.size)
    writer.integer(riff)
    writer.integer(data)
    writer.integer(frames)
    if first.name != "ds64" { writer.integer(UInt32(0)) }
    return writer.bytes
  }
}
