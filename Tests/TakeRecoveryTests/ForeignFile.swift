import BroadcastWave
import FoundationEssentials
import Glibc
import SoundFile
import TakeRecovery
import TestFolders
import Testing
import Units

/// A sound file of another recorder, built chunk by chunk from its description, in a folder of its
/// own.
final class ForeignFile {
  private let place = TestFolder()
  var folder: String { place.path }
  var path: String { folder + "/take.wav" }

  init(_ bytes: [UInt8]) throws {
    try save(bytes)
  }

  func save(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

  func bytes(_ name: String = "take.wav") throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  /// Recovers the file, and holds a dry run before and a second run after against it.
  func recover() throws -> RecoveryReport.File {
    let before = try bytes()
    let dry = try TakeRecovery(inputs: [folder], isDryRun: true).run()
    #expect(try bytes() == before && names == ["take.wav"], "a dry run changes nothing")
    let file = try #require(try TakeRecovery(inputs: [path]).run().files.first)
    #expect(dry.files.first?.done == file.done, "a dry run says what a run does")
    #expect(dry.files.first?.assumed == file.assumed)
    let after = try (bytes(), names)
    let again = try #require(try TakeRecovery(inputs: [path]).run().files.first)
    #expect(again.outcome != .recovered && again.done.isEmpty, "a second run changes nothing")
    #expect(try bytes() == after.0 && names == after.1)
    return file
  }

  /// The frames that libsndfile reads, and the bytes of audio that our reader places.
  func read(_ name: String = "take.wav") throws -> (frames: Int64, wave: WaveReader, audio: [UInt8])
  {
    let all = try bytes(name)
    let wave = try WaveReader(length: UInt64(all.count)) { offset, count throws(WaveError) in
      let start = min(Int(offset), all.count)
      return Array(all[start..<min(start + count, all.count)])
    }
    let sound = try SoundFileReader(path: "\(folder)/\(name)")
    let start = Int(wave.audioOffset)
    return (sound.frames.value, wave, Array(all[start..<start + Int(wave.audioBytes)]))
  }
}

extension ForeignFile {
  static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A chunk whose header may tell another size than it has.
  static func chunk(
    _ name: String, _ body: [UInt8], told: UInt32? = nil, pad: UInt8? = 0
  ) -> [UInt8] {
    Array(name.utf8) + number(told ?? UInt32(body.count)) + body
      + (body.count % 2 == 1 ? pad.map { [$0] } ?? [] : [])
  }

  static func file(_ chunks: [UInt8]..., form: String = "RIFF", told: UInt32? = nil) -> [UInt8] {
    let body = chunks.flatMap { $0 }
    return Array(form.utf8) + number(told ?? UInt32(4 + body.count)) + Array("WAVE".utf8) + body
  }

  /// Plain PCM.
  static func fmt(channels: UInt16 = 2, bits: UInt16 = 24, hertz: UInt32 = 48_000) -> [UInt8] {
    let frame = channels * bits / 8
    return chunk(
      "fmt ",
      number(UInt16(1)) + number(channels) + number(hertz) + number(hertz * UInt32(frame))
        + number(frame) + number(bits))
  }

  static func bext(history: String = "A=PCM,F=48000,W=24,M=stereo,T=deck\r\n") -> [UInt8] {
    chunk(
      "bext",
      Bext(
        description: "sSCENE=12A", originator: "deck", originatorReference: "REF",
        begins: CivilTime(unixNanoseconds: 0, utcOffsetSeconds: 0), timeReference: 2_191_661_476,
        codingHistory: history
      ).body)
  }

  static func ds64(riff: UInt64, data: UInt64) -> [UInt8] {
    chunk("ds64", number(riff) + number(data) + number(data / 6) + number(UInt32(0)))
  }

  /// Noise from a seed, no byte of which is printable, so that it spells no chunk by chance.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 128...255, using: &generator) }
  }
}
