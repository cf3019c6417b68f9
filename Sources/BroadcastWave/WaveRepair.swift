/// What makes a sound file's sizes true to the audio that is on the disk.
///
/// A plan only: ``patches`` are bytes to write over the header, and the audio is never touched,
/// moved or cut. A file in order has no patches, so that a second repair changes nothing.
public struct WaveRepair: Hashable, Sendable {
  public let format: WaveFormat
  /// Whole frames of audio that the file tells of when it is repaired.
  public let frames: UInt64
  /// What to write, in this order.
  public let patches: [FilePatch]
  /// What was wrong and what was assumed, in words.
  public let assumptions: [String]

  /// Plans the repair of a file of `length` bytes.
  ///
  /// - Parameters:
  ///   - isInterrupted: whether a recording was interrupted, so that what follows the audio that
  ///     the header tells of is audio too.
  ///   - read: gives `count` bytes at an offset, or as many as there are.
  public init(
    length: UInt64, isInterrupted: Bool,
    read: (_ offset: UInt64, _ count: Int) throws(WaveError) -> [UInt8]
  ) throws(WaveError) {
    let wave = try WaveReader(length: length, read: read)
    let layout = try WaveLayout(audioOffset: wave.audioOffset, read: read)
    let frame = UInt64(wave.format.bytesPerFrame)
    format = wave.format
    guard !layout.isTrue(length: length, bytesPerFrame: frame) else {
      frames = wave.frames
      patches = []
      assumptions = []
      return
    }
    let extent = try AudioExtent(
      wave: wave, layout: layout, length: length, isInterrupted: isInterrupted, read: read)
    frames = extent.bytes / frame
    let found = layout.patches(
      audioBytes: extent.bytes, frames: frames, end: extent.fileEnd, length: length)
    let changes = try Self.changes(found ?? [], read)
    patches = changes
    var words = extent.assumptions
    if found == nil {
      words.append("it is past 4 GiB and has no room for sizes of 64 bits: left as it is")
    }
    assumptions = words
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
