/// How far a damaged file's audio reaches: as far as it can, never less than the header tells.
struct AudioExtent {
  /// The audio in bytes, whole frames.
  let bytes: UInt64
  /// Where the file ends that the sizes are to tell of.
  let fileEnd: UInt64
  private(set) var assumptions: [String]

  /// How far from the file's end the chunks of an unfinished close are looked for, in bytes.
  static let tailLimit = 8 << 20

  init(
    wave: WaveReader, layout: WaveLayout, length: UInt64, isInterrupted: Bool, read: ChunkScan.Read
  ) throws(WaveError) {
    let frame = UInt64(wave.format.bytesPerFrame)
    let offset = wave.audioOffset
    let told = offset + min(layout.dataSize, length - offset)
    assumptions = []
    let end: UInt64
    var hasChunks = false
    if isInterrupted, let begin = try Self.trailerBegin(from: told, length: length, read) {
      end = begin
      hasChunks = true
      assumptions.append("it was being closed: cues stand behind the audio")
    } else if !isInterrupted, wave.assumptions.isEmpty,
      try Self.areChunks(from: told + layout.dataSize % 2, to: length, read)
    {
      end = told
      hasChunks = told < length
      assumptions.append("the file's size was said to be \(layout.riffSize &+ 8), it is \(length)")
    } else {
      end = length
      if layout.dataSize != length - offset {
        assumptions.append(
          "the audio's size was said to be \(layout.dataSize) bytes; all \(length - offset) bytes "
            + "to the file's end are taken for audio")
      }
    }
    let torn = (end - offset) % frame
    bytes = end - offset - torn
    fileEnd = hasChunks ? length : end - torn
    // A pad byte of a file that was being closed is no part of a frame.
    if torn > 0 && !hasChunks {
      assumptions.append("its last frame is torn: \(torn) of \(frame) bytes, left out")
    }
  }

  /// Whether the bytes from `start` to the end are chunks, one behind the other.
  private static func areChunks(
    from start: UInt64, to end: UInt64, _ read: ChunkScan.Read
  ) throws(WaveError) -> Bool {
    var offset = start
    for _ in 0..<WaveReader.chunkLimit {
      // A pad byte may be missing at the end.
      if offset == end || offset == end + 1 { return true }
      guard offset + 8 <= end else { return false }
      let head = try read(offset, 8)
      var chunk = ByteReader(head)
      guard head.count == 8, head[..<4].allSatisfy({ (32..<127).contains($0) }),
        chunk.take(4) != nil, let size = chunk.integer(UInt32.self)
      else { return false }
      offset += 8 + UInt64(size) + UInt64(size % 2)
    }
    return false
  }

  /// Where cues and labels begin that reach exactly to the file's end.
  private static func trailerBegin(
    from told: UInt64, length: UInt64, _ read: ChunkScan.Read
  ) throws(WaveError) -> UInt64? {
    let start = max(told, length - min(length, UInt64(tailLimit)))
    let tail = try read(start, Int(length - start))
    let name = Array("cue ".utf8)
    guard tail.count > 12 else { return nil }
    for place in 0..<(tail.count - 12)
    where tail[place] == name[0] && tail[place..<place + 4].elementsEqual(name) {
      var chunk = ByteReader(tail[(place + 4)...])
      guard let size = chunk.integer(UInt32.self), let count = chunk.integer(UInt32.self),
        UInt64(size) == 4 + 24 * UInt64(count), chunk.take(Int(size) - 4) != nil,
        chunk.name() == "LIST", let list = chunk.integer(UInt32.self),
        Int(list) == chunk.remaining, chunk.name() == "adtl"
      else { continue }
      return start + UInt64(place)
    }
    return nil
  }
}
