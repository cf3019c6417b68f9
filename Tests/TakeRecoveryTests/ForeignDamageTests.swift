import BroadcastWave
import TakeRecovery
import TestLanes
import Testing

/// Damage as other recorders' crashes leave it.
@Suite("Recovering other recorders' files", .computing)
struct ForeignDamageTests {
  typealias File = ForeignFile
  private let audio = File.noise(6000)

  private func expectWhole(
    _ file: ForeignFile, frames: Int64 = 1000, _ report: RecoveryReport.File,
    _ comment: Comment? = nil
  ) throws {
    #expect(report.outcome == .recovered && !report.assumed.isEmpty, "\(report)")
    #expect(report.frames == UInt64(frames), comment)
    let read = try file.read()
    #expect(read.frames == frames, comment)
    #expect(read.audio.prefix(6000).elementsEqual(audio.prefix(Int(frames) * 6)), comment)
    #expect(read.wave.toldLength == UInt64(try file.bytes().count), comment)
  }

  @Test(
    "an audio size of 0, of all ones, of 7FFFF000, eight short and beyond the end",
    arguments: [0, 0xFFFF_FFFF, 0x7FFF_F000, 5992, 9999, 0x8000_0000] as [UInt32])
  func sizes(told: UInt32) throws {
    let file = try File(File.file(File.fmt(), File.chunk("data", audio, told: told)))
    try expectWhole(file, try file.recover())
    #expect(try file.bytes() == File.file(File.fmt(), File.chunk("data", audio)))
  }

  @Test(
    "a file size that is wrong alone", arguments: [0, 6036 - 8, 0xFFFF_FFFF, 9999] as [UInt32])
  func fileSize(told: UInt32) throws {
    let file = try File(File.file(File.fmt(), File.chunk("data", audio), told: told))
    try expectWhole(file, try file.recover())
  }

  @Test("eight bytes short, with bext and a list behind the audio: they stay what they are")
  func shortBeforeChunks() throws {
    let list = File.chunk("LIST", [UInt8](repeating: 0, count: 40))
    let file = try File(
      File.file(File.fmt(), File.chunk("data", audio, told: 5992), File.bext(), list))
    try expectWhole(file, try file.recover())
    #expect(try file.read().wave.bext?.timeReference == 2_191_661_476)
  }

  @Test(
    "RF64 whose sizes of 64 bits are wrong",
    arguments: [
      (0, 0), (6072, 0), (6072, 5992), (6072, 1 << 40), (0, 6000), (1 << 40, 6000),
      (UInt64.max, UInt64.max),
    ] as [(UInt64, UInt64)])
  func wideSizes(riff: UInt64, data: UInt64) throws {
    let file = try File(
      File.file(
        File.ds64(riff: riff, data: data), File.fmt(), File.chunk("data", audio, told: .max),
        form: "RF64", told: .max))
    try expectWhole(file, try file.recover(), "\(riff) \(data)")
    #expect(try file.read().wave.isWide)
  }

  @Test("RF64 that lacks its sizes of 64 bits becomes RIFF, being small")
  func noWideSizes() throws {
    let file = try File(
      File.file(File.fmt(), File.chunk("data", audio), form: "RF64"))
    let report = try file.recover()
    try expectWhole(file, report)
    #expect(report.assumed.contains { $0.contains("64 bits") })
    #expect(try file.bytes() == File.file(File.fmt(), File.chunk("data", audio)))
  }

  @Test("a torn last frame stays, and is not told of", arguments: 1...5)
  func torn(bytes: Int) throws {
    let file = try File(
      File.file(File.fmt(), File.chunk("data", audio.dropLast(bytes), told: 0, pad: nil)))
    let before = try file.bytes()
    let report = try file.recover()
    #expect(report.frames == 999 && report.assumed.contains { $0.contains("torn") })
    #expect(try file.read().frames == 999)
    #expect(try file.bytes().count == before.count, "no byte of audio is cut off")
    #expect(try file.bytes().suffix(5900) == before.suffix(5900))
  }

  @Test("odd chunks, and pad bytes that are not zero or are missing", arguments: [nil, 77])
  func oddChunks(pad: UInt8?) throws {
    let odd = File.chunk("odd ", [1, 2, 3], pad: 77)
    let tail = File.chunk("LIST", [9, 9, 9], pad: pad)
    let mono = File.noise(999 * 3)
    let file = try File(
      File.file(
        odd, File.fmt(channels: 1), File.chunk("data", mono, pad: pad), tail, File.bext(), told: 0))
    let report = try file.recover()
    #expect(report.outcome == .recovered && report.frames == 999, "\(report)")
    let read = try file.read()
    #expect(read.frames == 999 && read.audio == mono && read.wave.bext != nil)
  }

  @Test("a chunk before the audio without its pad byte: a new file, where others find their way")
  func missingPad() throws {
    let file = try File(
      File.file(
        File.chunk("odd ", [1, 2, 3], pad: nil), File.fmt(), File.bext(),
        File.chunk("data", audio)))
    let report = try file.recover()
    #expect(report.frames == 1000 && report.assumed.contains { $0.contains("pad byte") })
    let read = try file.read("take_rebuilt.wav")
    #expect(read.frames == 1000 && read.audio == audio)
    #expect(read.wave.chunks.map(\.name) == ["JUNK", "fmt ", "odd ", "bext", "data"])
  }

  @Test("audio that spells the names of chunks is audio", arguments: [0, 5992] as [UInt32])
  func spelling(told: UInt32) throws {
    var bytes = audio
    for (place, name) in ["data", "LIST", "cue ", "RIFF", "fmt "].enumerated() {
      // Some with a size that leads somewhere within, some beyond the end.
      let size = place % 2 == 0 ? File.number(UInt32(100)) : [200, 200, 200, 200]
      bytes.replaceSubrange(900 * place..<900 * place + 8, with: Array(name.utf8) + size)
      bytes.replaceSubrange(5968 + place..<5972 + place, with: Array(name.utf8))
    }
    bytes.replaceSubrange(5992..<6000, with: Array("LIST".utf8) + File.number(UInt32(4)))
    let file = try File(File.file(File.fmt(), File.chunk("data", bytes, told: told)))
    let report = try file.recover()
    #expect(report.frames == 1000, "\(report)")
    #expect(try file.read().audio == bytes)
  }

  @Test("what was written over is kept, and can be put back byte for byte")
  func undo() throws {
    let damaged = File.file(
      File.fmt(), File.chunk("data", audio.dropLast(1), told: 0, pad: nil), told: 0)
    let file = try File(damaged)
    let report = try file.recover()
    #expect(report.undo == file.path + ".undo.json")
    #expect(try file.bytes() != damaged)
    #expect(TakeRecovery.undo([file.path]).files.map(\.outcome) == [.undone])
    #expect(try file.bytes() == damaged && file.names == ["take.wav"])
    let second = TakeRecovery.undo([file.path]).files.first
    #expect(second?.outcome == .failed && second?.reason?.contains("no record") == true)
  }

  @Test("what cannot be known is refused in words, and nothing is changed")
  func refusals() throws {
    let adpcm = File.chunk(
      "fmt ", File.number(UInt16(2)) + File.number(UInt16(2)) + [UInt8](repeating: 4, count: 14))
    let refused: [([UInt8], String)] = [
      (File.file(adpcm, File.bext(), File.chunk("data", audio, told: 0)), "format 2"),
      (File.file(File.chunk("data", audio, told: 0)), "format chunk is missing"),
      (File.file(File.bext(history: "A=MPEG1L3,F=48000\r\n"), File.chunk("data", audio)), "format"),
      (Array(File.file(File.bext(), File.fmt(), File.chunk("data", audio)).prefix(500)), "format"),
      (File.file(File.fmt()), "no data chunk"), (Array("RIFX....WAVE".utf8), "no WAV file"),
    ]
    for (bytes, words) in refused {
      let file = try File(bytes)
      let report = try #require(try TakeRecovery(inputs: [file.path]).run().files.first)
      #expect(report.outcome == .failed && report.reason?.contains(words) == true, "\(report)")
      #expect(try file.bytes() == bytes && file.names == ["take.wav"])
    }
  }
}
