/// What a WAV or RF64 file says of itself: format, place and length of the audio, metadata.
///
/// Survives what crashed and careless recorders leave: sizes of zero, of all ones and beyond the
/// end, chunks behind the audio and in any order. It never reads the audio.
public struct WaveReader: Hashable, Sendable {
  public let format: WaveFormat
  /// Where the audio begins, in bytes.
  public let audioOffset: UInt64
  /// The size of the audio as far as it is there: whole frames, at most to the file's end.
  public let audioBytes: UInt64
  public let bext: Bext?
  /// The iXML chunk's text, without its padding.
  public let ixml: String?
  /// Cues with their labels, in order of frame.
  public let cues: [CuePoint]
  /// Every chunk, in the file's order.
  public let chunks: [ChunkPlace]
  /// Whether the file is RF64.
  public let isWide: Bool
  /// How long the file is by its own account, in bytes; nothing where it leaves that open.
  public let toldLength: UInt64?
  /// What had to be assumed, in words; empty for a sound file in order.
  public let assumptions: [String]

  /// The most chunks that are looked at, and the largest metadata chunk that is read.
  public static let chunkLimit = 1024
  public static let metadataLimit: UInt64 = 4 << 20

  /// Whole frames of audio.
  public var frames: UInt64 { audioBytes / UInt64(format.bytesPerFrame) }

  /// Reads a file of `length` bytes.
  ///
  /// - Parameter read: gives `count` bytes at an offset, or as many as there are.
  public init(
    length: UInt64, read: (_ offset: UInt64, _ count: Int) throws(WaveError) -> [UInt8]
  ) throws(WaveError) {
    var scan = ChunkScan(length: length)
    try scan.run(read)
    if scan.lacksWideSizes { throw .noWideSizes }
    guard let format = scan.format else { throw scan.formatError }
    guard let audio = scan.audio else { throw .noAudio }
    self.format = format
    audioOffset = audio.offset
    audioBytes = audio.size - audio.size % UInt64(format.bytesPerFrame)
    bext = scan.bext
    ixml = scan.ixml
    cues = scan.cues.sorted { ($0.frame, $0.text) < ($1.frame, $1.text) }
    chunks = scan.chunks
    isWide = scan.isWide
    toldLength = scan.toldLength
    assumptions = scan.assumptions
  }
}

/// Where a chunk lies.
public struct ChunkPlace: Hashable, Sendable {
  /// Four characters, such as `bext`.
  public let name: String
  /// Where its body begins, in bytes.
  public let offset: UInt64
  /// The size of its body in bytes, as its header tells it.
  public let bytes: UInt64
}
