/// What makes a sound file's sizes true to the audio that is on the disk.
///
/// A plan only: ``patches`` are bytes to write over the header or behind the audio, which itself
/// is never touched, moved or cut. A file in order has no patches, so that a second repair changes
/// nothing. Where the header has no room for what is missing there is a ``rebuild`` instead.
public struct WaveRepair: Hashable, Sendable {
  public let format: WaveFormat
  /// Whole frames of audio that the file tells of when it is repaired.
  public let frames: UInt64
  /// What to write, in this order.
  public let patches: [FilePatch]
  /// Where the audio begins, in bytes.
  public let audioOffset: UInt64
  /// Whether cues are put behind the audio.
  public let addsCues: Bool
  /// A whole new file to make, where this one cannot be repaired in place.
  public let rebuild: WaveRebuild?
  /// What was wrong and what was assumed, in words.
  public let assumptions: [String]

  /// Plans the repair of a file of `length` bytes.
  ///
  /// - Parameters:
  ///   - isInterrupted: whether a recording was interrupted, so that what follows the audio that
  ///     the header tells of is audio too.
  ///   - cues: what to put behind the audio of an interrupted recording that has none there.
  ///   - vouchedFrames: how many frames there are by the word of whoever closed the file. Where the
  ///     header tells of as many, what stands behind them is no audio.
  ///   - read: gives `count` bytes at an offset, or as many as there are.
  /// - Throws: ``WaveError``; `contradictory` where the repaired file would be read in another way
  ///   than was planned, so that a second repair would change it again.
  public init(
    length: UInt64, isInterrupted: Bool, cues: [CuePoint] = [], vouchedFrames: UInt64? = nil,
    read: (_ offset: UInt64, _ count: Int) throws(WaveError) -> [UInt8]
  ) throws(WaveError) {
    try self.init(
      planning: length, isInterrupted: isInterrupted, cues: cues, vouchedFrames: vouchedFrames, read
    )
    if let rebuild {
      try rebuild.check(frames: frames, read)
    } else if !patches.isEmpty {
      let mended = MendedBytes(length: length, patches: patches)
      let again = try WaveRepair(
        planning: mended.length, isInterrupted: isInterrupted, cues: cues,
        vouchedFrames: vouchedFrames
      ) { offset, count throws(WaveError) in try mended.bytes(at: offset, count: count, of: read) }
      guard again.patches.isEmpty, again.rebuild == nil, again.frames == frames else {
        throw .contradictory
      }
    }
  }

  /// Plans without asking whether the plan lasts.
  private init(
    planning length: UInt64, isInterrupted: Bool, cues: [CuePoint], vouchedFrames: UInt64?,
    _ read: ChunkScan.Read
  ) throws(WaveError) {
    var scan = ChunkScan(length: length)
    try scan.run(read)
    guard let format = scan.format, let audio = scan.audio, !scan.lacksPad else {
      self = try Self.rebuilt(scan, length: length, read)
      return
    }
    let layout = try WaveLayout(audioOffset: audio.offset, read: read)
    let frame = UInt64(format.bytesPerFrame)
    let isTrue = layout.isTrue(length: length, bytesPerFrame: frame)
    guard !isTrue || !cues.isEmpty && isInterrupted else {
      self.init(format: format, frames: audio.size / frame, audioOffset: audio.offset)
      return
    }
    if let vouchedFrames, layout.dataSize / frame == vouchedFrames, layout.dataSize % frame == 0,
      layout.dataSize <= length - min(length, audio.offset)
    {
      self = try Self.vouched(format: format, layout: layout, length: length, read)
      return
    }
    let extent = try AudioExtent(
      format: format, layout: layout, isOpenEnded: scan.isOpenEnded, length: length,
      isInterrupted: isInterrupted, read: read)
    // A format that stands within what is now taken for audio, be it in a last frame that is torn, is
    // no format, but audio that looks so.
    let audioRange = audio.offset..<extent.end
    if scan.chunks.contains(where: { $0.name == "fmt " && audioRange.contains($0.offset) }) {
      throw .noFormat
    }
    var words = isTrue ? [] : extent.assumptions
    if layout.lacksWide {
      words.append("it says RF64 and lacks the sizes of 64 bits that go with it")
    }
    let trailer = try Self.trailer(
      isInterrupted && !extent.hasChunks ? cues : [], extent: extent, layout: layout,
      length: length, read)
    let patches = layout.patches(
      audioBytes: extent.bytes, frames: extent.bytes / frame,
      end: trailer.map { $0.offset + UInt64($0.bytes.count) } ?? extent.fileEnd, length: length,
      trailer: trailer)
    if patches == nil {
      words.append("it is past 4 GiB and its header has no room for sizes of 64 bits")
    }
    self.init(
      format: format, frames: extent.bytes / frame, audioOffset: audio.offset,
      addsCues: trailer != nil, patches: try Self.changes(patches ?? [], read),
      rebuild: patches == nil
        ? try WaveRebuild(
          format: format, chunks: scan.chunks, extent: extent, audioOffset: audio.offset, read)
        : nil,
      assumptions: words)
  }

  private init(
    format: WaveFormat, frames: UInt64, audioOffset: UInt64, addsCues: Bool = false,
    patches: [FilePatch] = [], rebuild: WaveRebuild? = nil, assumptions: [String] = []
  ) {
    self.audioOffset = audioOffset
    self.addsCues = addsCues
    self.format = format
    self.frames = frames
    self.patches = patches
    self.rebuild = rebuild
    self.assumptions = assumptions
  }

  /// The patches that change something.
  private static func changes(
    _ patches: [FilePatch], _ read: ChunkScan.Read
  ) throws(WaveError) -> [FilePatch] {
    var kept: [FilePatch] = []
    for patch in patches where try read(patch.offset, patch.bytes.count) != patch.bytes {
      kept.append(patch)
    }
    return kept
  }
}

extension WaveRepair {
  /// Of a file whose audio is known to be what the header says: its own size alone may be wrong.
  private static func vouched(
    format: WaveFormat, layout: WaveLayout, length: UInt64, _ read: ChunkScan.Read
  ) throws(WaveError) -> WaveRepair {
    let end = layout.audioOffset + layout.dataSize
    let frames = layout.dataSize / UInt64(format.bytesPerFrame)
    let isWhole = try AudioExtent.areChunks(from: end + layout.dataSize % 2, to: length, read)
    let patches = layout.patches(
      audioBytes: layout.dataSize, frames: frames, end: isWhole ? length : end, length: length)
    let words =
      isWhole
      ? "the file's size was said to be \(layout.riffSize &+ 8), it is \(length)"
      : "what stands behind the \(frames) frames that its timing log counts is neither audio nor "
        + "whole chunks, and is left as it is"
    return WaveRepair(
      format: format, frames: frames, audioOffset: layout.audioOffset,
      patches: try changes(patches ?? [], read), assumptions: [words])
  }

  /// Cues behind the audio, and behind them in a chunk of its own what they displace, a last frame
  /// that is not whole, or what is left of longer ones.
  private static func trailer(
    _ cues: [CuePoint], extent: AudioExtent, layout: WaveLayout, length: UInt64,
    _ read: ChunkScan.Read
  ) throws(WaveError) -> FilePatch? {
    let bytes = WaveTrailer(dataBytes: extent.bytes, cues: cues).bytes
    guard !cues.isEmpty, !bytes.isEmpty else { return nil }
    let end = layout.audioOffset + extent.bytes
    var writer = ByteWriter()
    writer.raw(bytes)
    if extent.tornBytes > 0 {
      writer.name("torn")
      writer.integer(UInt32(extent.tornBytes))
      writer.raw(try read(end, Int(extent.tornBytes)))
      writer.fill(with: 0, count: Int(extent.tornBytes % 2))
    }
    let written = end + UInt64(writer.bytes.count)
    if length > written {
      let kept = try read(written + 8, Int(AudioExtent.tailLimit))
      writer.name("torn")
      writer.integer(UInt32(kept.count))
      writer.raw(kept)
      writer.fill(with: 0, count: kept.count % 2)
    }
    return FilePatch(offset: end, bytes: writer.bytes)
  }

  /// A new file of one that has lost its format, the beginning of its audio, or its way there.
  private static func rebuilt(
    _ scan: ChunkScan, length: UInt64, _ read: ChunkScan.Read
  ) throws(WaveError) -> WaveRepair {
    if scan.unknownFormat != nil { throw scan.formatError }
    let place = scan.audio?.offset ?? scan.strayOffset
    let ixml = scan.ixml.map { IXMLReading($0) }
    guard let place, length > place else { throw scan.format == nil ? .noFormat : .noAudio }
    let guess = FormatGuess(bext: scan.bext, ixml: ixml, sample: try read(place, 65_536))
    guard let format = scan.format ?? guess?.format else { throw .noFormat }
    var words: [String] = []
    if scan.format == nil, let guess { words.append(guess.words) }
    if scan.lacksPad {
      words.append(
        "a chunk before the audio lacks its pad byte, where most programs lose their way")
    }
    let extent: AudioExtent
    if let audio = scan.audio {
      extent = try AudioExtent(
        format: format, layout: try WaveLayout(audioOffset: audio.offset, read: read),
        isOpenEnded: scan.isOpenEnded, length: length, isInterrupted: false, read: read)
      words += extent.assumptions
    } else {
      extent = AudioExtent(format: format, from: place, to: length)
      words.append(
        "where the audio begins is not told: everything behind the last whole chunk, from byte "
          + "\(place) on, is taken for it")
    }
    return WaveRepair(
      format: format, frames: extent.bytes / UInt64(format.bytesPerFrame), audioOffset: place,
      rebuild: try WaveRebuild(
        format: format, chunks: scan.chunks, extent: extent, audioOffset: place, read),
      assumptions: words)
  }
}
