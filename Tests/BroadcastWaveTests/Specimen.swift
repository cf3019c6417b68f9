import BroadcastWave
import Glibc
import Units

/// A file in a folder of its own, with audio that is noise from a seed.
struct Specimen {
  let format: WaveFormat
  let frames: Int
  var timeReference: UInt64 = 2_190_940_752
  var frameRate = FrameRate.fps23976
  var cues: [CuePoint] = []
  var isPlain = false

  static let begins = CivilTime(
    unixNanoseconds: 1_796_034_000_000_000_000, utcOffsetSeconds: 3600)

  var bext: Bext {
    Bext(
      description: "Straße T1 rec-a", originator: "recorder 0.1",
      originatorReference: Bext.reference(
        serial: "0123456789abcdef", time: Self.begins, random: 42),
      begins: Self.begins, timeReference: timeReference,
      codingHistory: Bext.codingLine(for: format, text: "recorder, 0.1"))
  }

  var ixml: IXML {
    var ixml = IXML(
      speed: IXML.Speed(frameRate: frameRate, format: format, timeReference: timeReference))
    ixml.project = "Straße & <Söhne> '日本' \"x\""
    ixml.scene = "12A"
    ixml.take = "3"
    ixml.fileUID = "uid-1"
    ixml.fileSet = IXML.FileSet(totalFiles: 3, familyUID: "family", familyName: "12A-T3")
    ixml.tracks = (1...format.channels).map {
      IXML.Track(channel: $0, interleave: $0, name: "rec-a \($0)")
    }
    ixml.syncPoints = cues.map {
      IXML.SyncPoint(function: "MARKER_GENERIC", comment: $0.text, sample: $0.frame)
    }
    ixml.user = "ppm +37.5\u{1}\u{FFFE}]]>"
    return ixml
  }

  var header: WaveHeader { WaveHeader(format: format, bext: bext, ixml: ixml, isPlain: isPlain) }

  var audio: [UInt8] {
    var generator = SeededGenerator(seed: 7)
    let count = frames * format.channels
    if format.encoding == .float32 {
      return (0..<count).flatMap { _ -> [UInt8] in
        let bits = Float(generator.nextUnit() - 0.5).bitPattern
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
      }
    }
    return (0..<frames * format.bytesPerFrame).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
  }

  /// The whole file, its header true and its trailer in place.
  var bytes: [UInt8] {
    let header = header
    let audio = audio
    let trailer = WaveTrailer(dataBytes: UInt64(audio.count), cues: cues)
    var bytes = header.bytes + audio + trailer.bytes
    let patches = header.sizePatches(
      dataBytes: UInt64(audio.count), trailerBytes: UInt64(trailer.bytes.count))
    for patch in patches {
      bytes.replaceSubrange(
        Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
    }
    return bytes
  }

  func read() throws -> WaveReader { try Self.read(bytes) }

  static func read(_ bytes: [UInt8]) throws -> WaveReader {
    try WaveReader(length: UInt64(bytes.count)) { offset, count throws(WaveError) in
      let start = min(Int(offset), bytes.count)
      return Array(bytes[start..<min(start + count, bytes.count)])
    }
  }
}
