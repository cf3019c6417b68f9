import Units

/// The chunks that tell a file's format: `fmt `, and `fact` for what is not plain PCM.
struct FormatChunk {
  let format: WaveFormat

  /// Codes of `wFormatTag` (Microsoft, "Multiple channel audio data and WAVE files").
  enum Tag {
    static let integer: UInt16 = 1
    static let float: UInt16 = 3
    static let extensible: UInt16 = 0xFFFE
  }

  /// What follows the tag in the sub-format of an extensible format, the same for both encodings.
  static let subFormatTail: [UInt8] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]

  init(_ format: WaveFormat) { self.format = format }

  private var isFloat: Bool { format.encoding == .float32 }

  /// Above two channels the plain format would imply loudspeakers; the extensible one, with a
  /// mask of none, says that the channels are just channels.
  private var isExtensible: Bool { format.channels > 2 }

  private var tag: UInt16 { isFloat ? Tag.float : Tag.integer }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.name("fmt ")
    writer.integer(UInt32(isExtensible ? 40 : isFloat ? 18 : 16))
    writer.integer(isExtensible ? Tag.extensible : tag)
    writer.integer(UInt16(format.channels))
    writer.integer(UInt32(format.sampleRate.hertz))
    writer.integer(UInt32(clamping: format.sampleRate.hertz * format.bytesPerFrame))
    writer.integer(UInt16(format.bytesPerFrame))
    writer.integer(UInt16(format.encoding.bits))
    if isExtensible {
      writer.integer(UInt16(22))
      writer.integer(UInt16(format.encoding.bits))
      writer.integer(UInt32(0))
      writer.integer(tag)
      writer.raw(Self.subFormatTail)
    } else if isFloat {
      writer.integer(UInt16(0))
    }
    if isFloat {
      writer.name("fact")
      writer.integer(UInt32(4))
      writer.integer(UInt32(0))
    }
    return writer.bytes
  }

  /// Where `fact` counts the frames, from the beginning of `fmt `; nil where there is no `fact`.
  var frameCountOffset: Int? { isFloat ? bytes.count - 4 : nil }
}
