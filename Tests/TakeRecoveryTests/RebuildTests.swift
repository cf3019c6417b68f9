import BroadcastWave
import TakeRecovery
import TestLanes
import Testing
import Units

/// Files that have lost their format, or the beginning of their audio, or both.
@Suite("Rebuilding headers", .computing)
struct RebuildTests {
  typealias File = ForeignFile
  private static let audio = File.noise(6000)

  static let histories: [String] = [
    "A=PCM,F=48000,W=24,M=stereo,T=deck\r\n",
    "A=MPEG1L2,F=44100,M=mono\r\nA=PCM,F=48000,W=24,M=stereo,T=deck\r\n",
  ]

  private static func expectRebuilt(
    _ file: ForeignFile, _ format: WaveFormat, audio: [UInt8] = audio
  ) throws {
    let before = try file.bytes()
    let report = try file.recover()
    #expect(report.outcome == .recovered && report.rebuilt == file.folder + "/take_rebuilt.wav")
    #expect(report.assumed.count >= 1, "\(report)")
    #expect(try file.bytes() == before, "the damaged file stays as it is")
    #expect(try file.names == ["take.wav", "take_rebuilt.wav"])
    let read = try file.read("take_rebuilt.wav")
    #expect(read.wave.format == format)
    #expect(read.audio == audio)
    #expect(read.frames == Int64(audio.count / format.bytesPerFrame))
    #expect(read.wave.bext?.timeReference == 2_191_661_476)
    #expect(read.wave.assumptions == [])
  }

  static let stereo = WaveFormat(
    sampleRate: SampleRate(hertz: 48_000), channels: 2, encoding: .integer(bits: 24))

  @Test("fmt is missing: by bext's coding history, its last line", arguments: histories)
  func noFormat(history: String) throws {
    let file = try File(
      File.file(File.bext(history: history), File.chunk("data", Self.audio, told: 0)))
    try Self.expectRebuilt(file, Self.stereo)
  }

  @Test("fmt is zeros, and a list stands behind the audio")
  func zeroFormat() throws {
    let file = try File(
      File.file(
        File.chunk("fmt ", [UInt8](repeating: 0, count: 16)), File.bext(),
        File.chunk("data", Self.audio), File.chunk("LIST", Array("INFO".utf8))))
    try Self.expectRebuilt(file, Self.stereo)
    #expect(try file.read("take_rebuilt.wav").wave.chunks.map(\.name).suffix(1) == ["LIST"])
  }

  @Test("the data chunk's header is missing: audio is all behind the last whole chunk")
  func noData() throws {
    let file = try File(File.file(File.bext(), File.fmt(), Self.audio))
    try Self.expectRebuilt(file, Self.stereo)
  }

  @Test("fmt and data are missing")
  func neither() throws {
    let ixml = File.chunk("iXML", Array("<BWFXML><SCENE>7</SCENE></BWFXML>".utf8), pad: 0)
    let file = try File(File.file(File.bext(), ixml, Self.audio))
    try Self.expectRebuilt(file, Self.stereo)
    #expect(try file.read("take_rebuilt.wav").wave.ixml == "<BWFXML><SCENE>7</SCENE></BWFXML>")
  }

  @Test("many channels by iXML's list; floats by the look of the samples")
  func channels() throws {
    let tracks = (1...4).map {
      "<TRACK><CHANNEL_INDEX>\($0)</CHANNEL_INDEX><INTERLEAVE_INDEX>\($0)</INTERLEAVE_INDEX></TRACK>"
    }
    let text = "<BWFXML><TRACK_LIST>\(tracks.joined())</TRACK_LIST></BWFXML>"
    let floats = (0..<4000).flatMap { File.number((Float($0 % 200 - 100) / 128).bitPattern) }
    for (audio, encoding) in [
      (floats, SampleEncoding.float32), (File.noise(16_000), .integer(bits: 32)),
    ] {
      let file = try File(
        File.file(
          File.bext(history: "A=PCM,F=96000,W=32,M=multi,T=deck\r\n"),
          File.chunk("iXML", Array(text.utf8)), File.chunk("data", audio, told: .max)))
      try Self.expectRebuilt(
        file,
        WaveFormat(sampleRate: SampleRate(hertz: 96_000), channels: 4, encoding: encoding),
        audio: audio)
    }
  }

  @Test("past 4 GiB without room for sizes of 64 bits: a plan for a new file, RF64")
  func large() throws {
    let head = File.file(File.fmt(), File.chunk("data", [], told: 0))
    let length: UInt64 = 5 << 30
    let plan = try WaveRepair(length: length, isInterrupted: false) {
      offset, count throws(WaveError) in
      let start = Int(min(offset, length))
      return (start..<min(start + count, Int(length))).map { $0 < head.count ? head[$0] : 200 }
    }
    #expect(plan.patches.isEmpty)
    let rebuild = try #require(plan.rebuild)
    let frames = (length - 44) / 6
    #expect(plan.frames == frames)
    #expect(rebuild.body == 44..<(44 + frames * 6))
    #expect(rebuild.head.starts(with: Array("RF64".utf8)))
    let bytes = UInt64(rebuild.head.count) + frames * 6
    let read = try WaveReader(length: bytes) { offset, count throws(WaveError) in
      Array(rebuild.head.dropFirst(Int(offset)).prefix(count))
    }
    #expect(read.frames == frames && read.assumptions == [] && read.toldLength == bytes)
  }
}
