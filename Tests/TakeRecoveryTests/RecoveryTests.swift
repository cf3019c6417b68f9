import BroadcastWave
import Glibc
import Recording
import SoundFile
import TakeRecovery
import TestLanes
import Testing
import Units

@Suite("Recovering interrupted takes", .computing)
struct RecoveryTests {
  private static let encodings: [SampleEncoding] = [
    .integer(bits: 16), .integer(bits: 24), .integer(bits: 32), .float32,
  ]

  @Test(
    "a take cut anywhere is whole again with every whole frame", arguments: 0..<40 as Range<UInt64>)
  func cuts(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let take = try Interruption(
      seed: seed, channels: Int.random(in: 1...3, using: &generator),
      encoding: Self.encodings[Int(seed % 4)])
    take.kill()
    let kept = Int.random(in: 0...take.audio.count, using: &generator)
    take.cut(".wav.part", to: Interruption.audioOffset + kept)
    let header = try #require(
      try take.bytes(take.path(".timing.jsonl.part")).firstIndex(of: UInt8(ascii: "\n")))
    let logLength = try take.length(".timing.jsonl.part")
    take.cut(
      ".timing.jsonl.part", to: Int.random(in: (header + 1)...logLength, using: &generator))

    let before = try take.contents()
    let dry = try TakeRecovery(inputs: [take.folder], isDryRun: true).run()
    #expect(try take.contents() == before, "seed \(seed)")
    let file = try #require(try TakeRecovery(inputs: [take.folder]).run().files.first)
    #expect(file.outcome == .recovered && file.reason == nil, "seed \(seed): \(file)")
    #expect(dry.files.first?.outcome == .recoverable)
    #expect(dry.files.first?.done == file.done, "a dry run says what a run does")

    let frames = kept / take.format.bytesPerFrame
    #expect(file.frames == UInt64(frames))
    try expectReadable(take, frames: frames)
    let after = try take.contents()
    #expect(
      Set(after.keys) == [
        Interruption.stem + ".wav", Interruption.stem + ".timing.jsonl", "mic-ab12.take.json",
      ])
    let again = try TakeRecovery(inputs: [take.folder]).run()
    #expect(again.files.map(\.outcome) == [.whole], "seed \(seed)")
    #expect(try take.contents() == after, "seed \(seed): a second run changes nothing")
  }

  private func expectReadable(_ take: Interruption, frames: Int) throws {
    let path = take.path(".wav")
    var reader = try SoundFileReader(path: path)
    #expect(reader.frames.value == Int64(frames))
    let samples = try reader.read(frames: frames + 1)
    #expect(samples.count == frames * take.format.channels)
    let audio = try take.bytes(path).dropFirst(Interruption.audioOffset)
    let whole = frames * take.format.bytesPerFrame
    #expect(audio.prefix(whole).elementsEqual(take.audio.prefix(whole)))
    guard case .summary(let summary) = try #require(take.entries().last) else {
      Issue.record("the log has no end")
      return
    }
    #expect(summary.frames == Int64(frames))
    #expect(!summary.isComplete && summary.isRecovered == true)
    let place = SharedInstant.sessionStart + .seconds(100)
    let expected = place + .nanoseconds(Int64(max(0, frames - 1)) * 125_000)
    #expect(summary.lastShared == expected)
  }

  @Test("what is being recorded is left alone, and can be told from what was interrupted")
  func living() throws {
    let take = try Interruption(seed: 1)
    let before = try take.contents()
    let file = try #require(try TakeRecovery(inputs: [take.folder]).run().files.first)
    #expect(file.outcome == .busy)
    #expect(try take.contents() == before)
    // The sound is closed before the log is.
    try take.closeSound(cues: [])
    let between = try #require(try TakeRecovery(inputs: [take.folder]).run().files.first)
    #expect(between.outcome == .busy)
    take.kill()
    #expect(try TakeRecovery(inputs: [take.folder]).run().files.map(\.outcome) == [.recovered])
  }

  @Test("a host recovers its own takes alone")
  func own() throws {
    let take = try Interruption(seed: 2)
    take.kill()
    let other = PeerID(high: 1, low: 1)
    #expect(try TakeRecovery(inputs: [take.folder], own: other).run().files.isEmpty)
    let report = try TakeRecovery(inputs: [take.folder], own: Interruption.peer).run()
    #expect(report.files.map(\.outcome) == [.recovered])
  }

  @Test("nothing is replaced: a name that is taken stays so")
  func taken() throws {
    let take = try Interruption(seed: 3)
    take.kill()
    let descriptor = open(take.path(".wav"), O_CREAT | O_WRONLY, 0o644)
    _ = write(descriptor, "x", 1)
    close(descriptor)
    let file = try #require(try TakeRecovery(inputs: [take.folder]).run().files.first)
    #expect(file.outcome == .failed)
    #expect(try take.bytes(take.path(".wav")) == Array("x".utf8))
    let after = try take.contents()
    _ = try TakeRecovery(inputs: [take.folder]).run()
    #expect(try take.contents() == after)
  }

  @Test("a close that was cut within its cues adds none of them to the audio", arguments: [1, 2])
  func tornCues(channels: Int) throws {
    let take = try Interruption(seed: 4, channels: channels)
    try take.log(.marker(TimingLogMarker(frame: 7, text: "clap")))
    try take.keepTrue()
    take.kill()
    let trailer = WaveTrailer(
      dataBytes: UInt64(take.audio.count), cues: [CuePoint(frame: 7, text: "clap")])
    let end = Interruption.audioOffset + take.audio.count
    let before = try take.contents()
    for count in take.audio.count % 2 + 4..<trailer.bytes.count {
      take.overwrite(".wav.part", at: end, Array(trailer.bytes[..<count]))
      let file = try #require(
        try TakeRecovery(inputs: [take.folder], isDryRun: true).run().files.first)
      #expect(file.frames == UInt64(take.audio.count / take.format.bytesPerFrame), "\(count)")
      take.cut(".wav.part", to: end)
    }
    #expect(try take.contents() == before)
    take.overwrite(".wav.part", at: end, Array(trailer.bytes[..<20]))
    let file = try #require(try TakeRecovery(inputs: [take.folder]).run().files.first)
    #expect(file.outcome == .recovered, "\(file)")
    #expect(try take.bytes(take.path(".wav")).dropFirst(end).elementsEqual(trailer.bytes))
    #expect(try TakeRecovery(inputs: [take.folder]).run().files.map(\.outcome) == [.whole])
  }

  @Test("two names of the same file, as a power cut in a renaming leaves them, become one")
  func bothNames() throws {
    let take = try Interruption(seed: 3)
    try take.closeSound(cues: [CuePoint(frame: 7, text: "clap")])
    take.kill()
    let whole = try take.bytes(take.path(".wav"))
    _ = system("cp '\(take.path(".wav"))' '\(take.path(".wav.part"))'")
    let file = try #require(try TakeRecovery(inputs: [take.folder]).run().files.first)
    #expect(file.outcome == .recovered && file.path == take.path(".wav"), "\(file)")
    #expect(try take.bytes(take.path(".wav")) == whole)
    let names = try take.contents().keys
    #expect(!names.contains { $0.hasSuffix(".part") }, "\(names)")
  }

  @Test("a close that was interrupted keeps its cues out of the audio")
  func closing() throws {
    let take = try Interruption(seed: 4)
    take.kill()
    let trailer = WaveTrailer(
      dataBytes: UInt64(take.audio.count), cues: [CuePoint(frame: 7, text: "gap")])
    take.overwrite(".wav.part", at: Interruption.audioOffset + take.audio.count, trailer.bytes)
    let file = try #require(try TakeRecovery(inputs: [take.folder]).run().files.first)
    #expect(file.frames == UInt64(take.audio.count / 3), "\(file)")
    try expectReadable(take, frames: take.audio.count / 3)
  }

  @Test(
    "foreign sizes: nothing, all ones, 7FFFF000, eight short, beyond the end",
    arguments: [0, 0xFFFF_FFFF, 0x7FFF_F000, 24_000 - 8, 24_000 + 999] as [UInt32])
  func foreign(size: UInt32) throws {
    let take = try Interruption(seed: 5)
    try take.closeSound(cues: [])
    take.kill()
    unlink(take.path(".timing.jsonl.part"))
    let whole = try take.contents()
    take.overwrite(
      ".wav", at: 16_380, (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
    let file = try #require(try TakeRecovery(inputs: [take.path(".wav")]).run().files.first)
    #expect(file.outcome == .recovered && !file.assumed.isEmpty, "\(file)")
    unlink(try #require(file.undo))
    #expect(try take.contents() == whole)
    #expect(
      try TakeRecovery(inputs: [take.path(".wav")]).run().files.map(\.outcome) == [.whole])
  }

  @Test("markers and gaps of the log become cues, and a torn frame is kept behind them")
  func cues() throws {
    let take = try Interruption(seed: 8, channels: 2)
    try take.log(.marker(TimingLogMarker(frame: 70, text: "Klappe 拍手")))
    try take.log(
      .gap(TimingLogGap(frame: 900, frames: 30, cause: "overrun", boundFrames: 0)))
    try take.log(.marker(TimingLogMarker(frame: 7995, text: "behind the end")))
    take.kill()
    take.cut(".wav.part", to: Interruption.audioOffset + take.audio.count - 100 * 6 - 1)
    let report = try #require(try TakeRecovery(inputs: [take.folder]).run().files.first)
    #expect(report.outcome == .recovered && report.frames == 7899, "\(report)")
    let bytes = try take.bytes(take.path(".wav"))
    let wave = try WaveReader(length: UInt64(bytes.count)) { offset, count throws(WaveError) in
      Array(bytes.dropFirst(Int(offset)).prefix(count))
    }
    #expect(
      wave.cues == [
        CuePoint(frame: 70, text: "Klappe 拍手"),
        CuePoint(frame: 900, text: "gap: 30 frames lost (overrun)"),
      ])
    #expect(wave.chunks.map(\.name).suffix(4) == ["data", "cue ", "LIST", "torn"])
    let torn = try #require(wave.chunks.last)
    #expect(torn.bytes == 5)
    let place = 7899 * 6
    #expect(Array(bytes[Int(torn.offset)...].prefix(5)) == Array(take.audio[place..<place + 5]))
    try expectReadable(take, frames: 7899)
    let after = try take.contents()
    #expect(try TakeRecovery(inputs: [take.folder]).run().files.map(\.outcome) == [.whole])
    #expect(try take.contents() == after)
  }

  @Test("a take.json that was not written yet is written, and a damaged line is passed over")
  func summary() throws {
    let take = try Interruption(seed: 9)
    try take.closeSound(cues: [])
    take.kill()
    var log = try take.bytes(take.path(".timing.jsonl.part"))
    let line = try #require(log.indices.filter { log[$0] == UInt8(ascii: "\n") }.dropFirst(3).first)
    for place in line - 9..<line { log[place] = 0 }
    take.overwrite(".timing.jsonl.part", at: 0, log)
    _ = try TakeRecovery(inputs: [take.folder]).run()
    let lines = try take.bytes(take.path(".timing.jsonl")).split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 12, "header, ten entries, and the end")
    unlink(take.folder + "/mic-ab12.take.json")
    let report = try TakeRecovery(inputs: [take.folder], own: Interruption.peer).run()
    #expect(report.files.map(\.done) == [["wrote mic-ab12.take.json"]])
    #expect(try TakeRecovery(inputs: [take.folder], own: Interruption.peer).run().files.isEmpty)
  }

  @Test("what is no sound file is left as it is, with the reason; what is empty is no failure")
  func refusal() throws {
    let take = try Interruption(seed: 6)
    take.kill()
    take.overwrite(".wav.part", at: 0, Array("RIFX".utf8))
    let before = try take.contents()
    let file = try #require(try TakeRecovery(inputs: [take.folder]).run().files.first)
    #expect(file.outcome == .failed && file.reason?.contains("no WAV file") == true)
    #expect(try take.contents() == before)
    take.cut(".wav.part", to: 0)
    #expect(try TakeRecovery(inputs: [take.folder]).run().files.map(\.outcome) == [.empty])
    #expect(try take.contents()[Interruption.stem + ".wav.part"] == [])
    #expect(throws: RecoveryError.self) { try TakeRecovery(inputs: ["/nowhere"]).run() }
  }
}
