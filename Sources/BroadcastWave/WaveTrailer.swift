/// A named frame of a file.
public struct CuePoint: Hashable, Sendable {
  /// Frames from the file's first.
  public let frame: UInt64
  public let text: String
  /// What other programs say of it besides; not written.
  public let note: String?
  /// How long a region is that begins here, in frames; nothing for a point. Not written.
  public let frames: UInt64?

  /// Makes a cue named `text` at `frame`.
  public init(frame: UInt64, text: String, note: String? = nil, frames: UInt64? = nil) {
    self.frame = frame
    self.text = text
    self.note = note
    self.frames = frames
  }
}

/// What follows the audio when a file is closed: a pad byte, cues and their labels.
public struct WaveTrailer: Hashable, Sendable {
  /// What to write behind the audio; may be empty.
  public let bytes: [UInt8]

  /// How many of the cues that were given stand in it.
  public let cueCount: Int

  /// The largest trailer, in bytes, unless less is asked for.
  public static let usualLimit = 8 << 20

  /// Builds the trailer of a file with `dataBytes` bytes of audio, of `limit` bytes at most.
  ///
  /// A cue's frame is 32 bits wide: later ones, and those that do not fit, are left to iXML and to
  /// the timing log.
  public init(dataBytes: UInt64, cues: [CuePoint], limit: Int = Self.usualLimit) {
    var writer = ByteWriter()
    if dataBytes % 2 == 1 { writer.integer(UInt8(0)) }
    let cues = Self.fitting(cues.filter { $0.frame <= UInt64(UInt32.max) }, limit: limit)
    cueCount = cues.count
    if !cues.isEmpty {
      writer.raw(Self.points(cues))
      writer.raw(Self.labels(cues))
    }
    bytes = writer.bytes
  }

  /// The first of the cues that fit into `limit` bytes with the chunks around them.
  private static func fitting(_ cues: [CuePoint], limit: Int) -> [CuePoint] {
    var room = limit - 1 - 12 - 12
    let count = cues.prefix { cue in
      // A point, and a label with its end and a pad byte at most.
      room -= 24 + 12 + cue.text.utf8.count + 2
      return room >= 0
    }.count
    return Array(cues.prefix(count))
  }

  private static func points(_ cues: [CuePoint]) -> [UInt8] {
    var writer = ByteWriter()
    writer.name("cue ")
    writer.integer(UInt32(4 + 24 * cues.count))
    writer.integer(UInt32(cues.count))
    for (number, cue) in cues.enumerated() {
      writer.integer(UInt32(number + 1))
      writer.integer(UInt32(cue.frame))
      writer.name("data")
      writer.integer(UInt32(0))
      writer.integer(UInt32(0))
      writer.integer(UInt32(cue.frame))
    }
    return writer.bytes
  }

  private static func labels(_ cues: [CuePoint]) -> [UInt8] {
    var list = ByteWriter()
    list.name("adtl")
    for (number, cue) in cues.enumerated() {
      let text = Array(cue.text.utf8) + [0]
      list.name("labl")
      list.integer(UInt32(4 + text.count))
      list.integer(UInt32(number + 1))
      list.raw(text)
      list.fill(with: 0, count: text.count % 2)
    }
    var writer = ByteWriter()
    writer.name("LIST")
    writer.integer(UInt32(list.bytes.count))
    writer.raw(list.bytes)
    return writer.bytes
  }
}
