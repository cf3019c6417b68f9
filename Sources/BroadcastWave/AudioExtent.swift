/// How far a damaged file's audio reaches: as far as it can, never less than the header tells.
struct AudioExtent {
  /// The audio in bytes, whole frames.
  let bytes: UInt64
  /// Where the bytes end that are taken for audio, a last frame that is not whole among them.
  let end: UInt64
  /// Where the file ends that the sizes are to tell of.
  let fileEnd: UInt64
  /// The bytes of a last frame that is not whole and that nothing stands behind.
  let tornBytes: UInt64
  /// Whether chunks stand behind the audio.
  let hasChunks: Bool
  private(set) var assumptions: [String] = []

  /// How far from the file's end the chunks behind the audio are looked for, in bytes.
  static let tailLimit = 8 << 20

  init(
    format: WaveFormat, layout: WaveLayout, isOpenEnded: Bool, length: UInt64,
    isInterrupted: Bool, read: ChunkScan.Read
  ) throws(WaveError) {
    let offset = layout.audioOffset
    let told = offset + min(layout.dataSize, length - offset)
    let found = try Self.find(
      told: told, isOdd: layout.dataSize % 2 == 1, isOpenEnded: isOpenEnded, length: length,
      isInterrupted: isInterrupted, read)
    end = found?.begin ?? length
    hasChunks = found != nil && found?.isTorn == false && end < length
    if let words = found?.words {
      assumptions.append(words)
    } else if found != nil, layout.riffSize &+ 8 != length {
      assumptions.append("the file's size was said to be \(layout.riffSize &+ 8), it is \(length)")
    }
    if found == nil || end != told, layout.dataSize != end - offset {
      let reach = found == nil ? "to the file's end" : "up to the chunks at the file's end"
      assumptions.append(
        "the audio's size was said to be \(layout.dataSize) bytes; all \(end - offset) bytes "
          + "\(reach) are taken for audio"
          + (isInterrupted ? ", which may have holes there if the power was cut" : ""))
    }
    let frame = UInt64(format.bytesPerFrame)
    let torn = (end - offset) % frame
    bytes = end - offset - torn
    fileEnd = hasChunks ? length : end - torn
    tornBytes = hasChunks ? 0 : torn
    // A pad byte before chunks is no part of a frame.
    if tornBytes > 0 {
      assumptions.append("its last frame is torn: \(torn) of \(frame) bytes, left out")
    }
  }

  /// All bytes from `start` to the file's end.
  init(format: WaveFormat, from start: UInt64, to end: UInt64) {
    self.end = end
    tornBytes = (end - start) % UInt64(format.bytesPerFrame)
    bytes = end - start - tornBytes
    fileEnd = end - tornBytes
    hasChunks = false
  }

  /// Where chunks begin behind the audio, or the end of what was told; nothing where all bytes to
  /// the file's end can be audio.
  private static func find(
    told: UInt64, isOdd: Bool, isOpenEnded: Bool, length: UInt64, isInterrupted: Bool,
    _ read: ChunkScan.Read
  ) throws(WaveError) -> (begin: UInt64, words: String?, isTorn: Bool)? {
    if isInterrupted {
      if let begin = try tailBegin(from: told, length: length, names: ["cue "], read) {
        return (begin, "it was being closed: cues stand behind the audio", false)
      }
      guard try areTornCues(from: isOdd ? told + 1 : told, to: length, read) else { return nil }
      return (told, "it was being closed: cues that are not whole stand behind the audio", true)
    }
    if isOpenEnded { return nil }
    if told == length || told + 1 == length { return (told, nil, false) }
    for begin in isOdd ? [told + 1, told] : [told]
    where try areChunks(from: begin, to: length, read) {
      return (told, nil, false)
    }
    guard let begin = try tailBegin(from: told, length: length, names: ChunkHead.tailNames, read)
    else {
      return nil
    }
    return (begin, nil, false)
  }

  /// Whether the bytes from `start` to the end are the beginning of what the recorder puts behind
  /// the audio, right where its header's account of the audio ends.
  private static func areTornCues(
    from start: UInt64, to end: UInt64, _ read: ChunkScan.Read
  ) throws(WaveError) -> Bool {
    // Cues are small: behind more than that it is audio that spells their name.
    guard start + 4 <= end, end - start <= UInt64(tailLimit) else { return false }
    var head = ByteReader(try read(start, Int(min(12, end - start))))
    guard head.name() == "cue " else { return false }
    guard let size = head.integer(UInt32.self), let count = head.integer(UInt32.self) else {
      return true
    }
    return UInt64(size) == 4 + 24 * UInt64(count)
  }

  /// Whether the bytes from `start` to the end are chunks, one behind the other.
  static func areChunks(
    from start: UInt64, to end: UInt64, _ read: ChunkScan.Read
  ) throws(WaveError) -> Bool {
    var offset = start
    for _ in 0..<WaveReader.chunkLimit {
      // A pad byte may be missing at the end.
      if offset == end || offset == end + 1 { return true }
      guard offset + 8 <= end, let head = ChunkHead(try read(offset, 8)) else { return false }
      let plain = offset + 8 + head.size
      offset = plain + head.size % 2
      if head.size % 2 == 1, offset + 8 <= end,
        ChunkHead(try read(offset, 8))?.fits(in: end - offset - 8) != true
      {
        offset = plain
      }
    }
    return false
  }

  /// Where the first of `names` begins from which chunks reach exactly to the file's end.
  private static func tailBegin(
    from told: UInt64, length: UInt64, names: [String], _ read: ChunkScan.Read
  ) throws(WaveError) -> UInt64? {
    let start = max(told, length - min(length, UInt64(tailLimit)))
    let tail = try read(start, Int(length - start))
    let marks = names.map { Array($0.utf8) }
    var begins = [Bool](repeating: false, count: 256)
    for mark in marks { begins[Int(mark[0])] = true }
    guard tail.count >= 8 else { return nil }
    for place in 0...(tail.count - 8) where begins[Int(tail[place])] {
      let rest = tail[place...]
      guard marks.contains(where: { rest.starts(with: $0) }), ChunkHead.areChunks(rest) else {
        continue
      }
      if names == ["cue "], !areCues(rest) { continue }
      return start + UInt64(place)
    }
    return nil
  }

  /// Whether a close that was under way could have left `bytes`: cues, then their labels.
  private static func areCues(_ bytes: ArraySlice<UInt8>) -> Bool {
    var chunk = ByteReader(bytes.dropFirst(4))
    guard let size = chunk.integer(UInt32.self), let count = chunk.integer(UInt32.self),
      UInt64(size) == 4 + 24 * UInt64(count), chunk.take(Int(size) - 4) != nil
    else { return false }
    return chunk.name() == "LIST" && chunk.integer(UInt32.self) != nil && chunk.name() == "adtl"
  }
}
