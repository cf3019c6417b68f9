/// What stands before the audio of a file, laid out once when the file is opened.
///
/// All metadata lies in front of the audio and has a fixed place, so that it can be kept true in
/// place while the file grows:
///
///     RIFF | JUNK 28 | fmt | [fact] | bext | iXML, padded with blanks | data | audio...
///
/// The filler chunk `JUNK` becomes `ds64` when the file outgrows 4 GiB. `fmt` stands before
/// `bext`, since MediaInfo else rounds the time to milliseconds. The audio begins at a multiple
/// of 16 KiB. A plain header has no filler chunk, for readers that choke on one, and so cannot
/// become RF64: the file must stay below ``plainLimit``.
public struct WaveHeader: Hashable, Sendable {
  public let format: WaveFormat
  /// The header as it is written first, of a file that has no audio yet.
  public let bytes: [UInt8]

  /// Whether there is no filler chunk, and so no room for sizes of 64 bits.
  public let isPlain: Bool

  private let bextOffset: Int
  private let bextSize: Int
  private let metadataRoom: Int

  /// The granularity of the header's size, in bytes.
  public static let step = 16_384

  /// The largest size that fits the 32 bits of a RIFF chunk, with room for what is not known yet.
  static let riffLimit: UInt64 = 0xFFFF_FFFF

  /// What a file with a plain header must stay below, in bytes.
  public static let plainLimit: UInt64 = riffLimit

  /// Lays out a header for `format` with room for at least `ixml`, all of it when the file opens.
  ///
  /// - Parameter size: the least size in bytes, rounded up to a multiple of 16 KiB. When nil,
  ///   16 KiB, and 64 KiB above eight channels, whose track list needs the room. The header is
  ///   larger than asked for where `ixml` would not fit.
  public init(
    format: WaveFormat, bext: Bext, ixml: IXML, size: Int? = nil, isPlain: Bool = false
  ) {
    let bextBody = bext.body
    let front = Self.front(format: format, isPlain: isPlain)
    let text = Array(ixml.text.utf8)
    // The headers of bext, iXML and data.
    let needed = front.count + 8 + bextBody.count + 8 + text.count + 8
    let wanted = max(needed, size ?? (format.channels > 8 ? 4 * Self.step : Self.step))
    let whole = (wanted + Self.step - 1) / Self.step * Self.step

    self.format = format
    self.isPlain = isPlain
    bextOffset = front.count
    bextSize = bextBody.count
    metadataRoom = whole - 8 - front.count
    var writer = ByteWriter()
    writer.raw(front)
    writer.raw(Self.metadata(bextBody: bextBody, text: text, room: metadataRoom))
    writer.name("data")
    writer.integer(UInt32(0))
    var bytes = writer.bytes
    bytes.replaceSubrange(4..<8, with: ByteWriter.bytes(of: UInt32(whole - 8)))
    self.bytes = bytes
  }

  /// Where the audio begins, in bytes; the header's size.
  public var audioOffset: UInt64 { UInt64(bytes.count) }

  /// RIFF, the filler, fmt, and fact where the format needs it.
  static func front(format: WaveFormat, isPlain: Bool = false) -> [UInt8] {
    var writer = ByteWriter()
    writer.name("RIFF")
    writer.integer(UInt32(0))
    writer.name("WAVE")
    if !isPlain {
      writer.name("JUNK")
      writer.integer(UInt32(28))
      writer.fill(with: 0, count: 28)
    }
    writer.raw(FormatChunk(format).bytes)
    return writer.bytes
  }

  /// bext and iXML, exactly `room` bytes.
  private static func metadata(bextBody: [UInt8], text: [UInt8], room: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.name("bext")
    writer.integer(UInt32(bextBody.count))
    writer.raw(bextBody)
    writer.name("iXML")
    let ixmlSize = room - writer.bytes.count - 4
    writer.integer(UInt32(ixmlSize))
    writer.raw(text)
    writer.fill(with: UInt8(ascii: " "), count: ixmlSize - text.count)
    return writer.bytes
  }
}

extension WaveHeader {
  /// What makes the header tell of `dataBytes` bytes of audio, in the order of writing.
  ///
  /// Write these only after the audio is safe on the disk. The order matters: past 4 GiB the
  /// first patch makes the file RF64, and a reader that comes between the two sees a size of
  /// data that still fits.
  ///
  /// - Parameters:
  ///   - dataBytes: the size of the audio, a whole number of frames.
  ///   - trailerBytes: the size of what follows the audio; see ``WaveTrailer``.
  public func sizePatches(dataBytes: UInt64, trailerBytes: UInt64 = 0) -> [FilePatch] {
    let behind = max(trailerBytes, dataBytes % 2)
    let riffSize = audioOffset - 8 + dataBytes + behind
    let frames = dataBytes / UInt64(format.bytesPerFrame)
    let sizeOffset = audioOffset - 4
    if riffSize >= Self.riffLimit {
      precondition(
        !isPlain, "a file with a plain header stays below 4 GiB, unlike \(riffSize) bytes")
      return [
        FilePatch(
          offset: 0, bytes: Self.rf64(riffSize: riffSize, dataBytes: dataBytes, frames: frames)),
        FilePatch(offset: sizeOffset, bytes: [255, 255, 255, 255]),
      ] + factPatch(frames: .max)
    }
    return [
      FilePatch(offset: 4, bytes: ByteWriter.bytes(of: UInt32(riffSize))),
      FilePatch(offset: sizeOffset, bytes: ByteWriter.bytes(of: UInt32(dataBytes))),
    ] + factPatch(frames: UInt32(frames))
  }

  /// What replaces the metadata in place, or nothing where it does not fit the header's room.
  public func metadataPatch(bext: Bext, ixml: IXML) -> FilePatch? {
    let body = bext.body
    let text = Array(ixml.text.utf8)
    guard 8 + body.count + 8 + text.count <= metadataRoom else { return nil }
    return FilePatch(
      offset: UInt64(bextOffset),
      bytes: Self.metadata(bextBody: body, text: text, room: metadataRoom))
  }

  private func factPatch(frames: UInt32) -> [FilePatch] {
    guard let offset = FormatChunk(format).frameCountOffset else { return [] }
    let begin = isPlain ? 12 : 48
    return [FilePatch(offset: UInt64(begin + offset), bytes: ByteWriter.bytes(of: frames))]
  }

  /// The first 48 bytes of a file that has outgrown 4 GiB (EBU Tech 3306).
  static func rf64(riffSize: UInt64, dataBytes: UInt64, frames: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.name("RF64")
    writer.integer(UInt32.max)
    writer.name("WAVE")
    writer.name("ds64")
    writer.integer(UInt32(28))
    writer.integer(riffSize)
    writer.integer(dataBytes)
    writer.integer(frames)
    writer.integer(UInt32(0))
    return writer.bytes
  }
}
