import BroadcastWave
import Glibc
import SoundFile
import TakeAlignment
import TestLanes
import Testing
import Units

@Suite("Aligning a take", .computing)
struct TakeAlignerTests {
  static let hosts = [
    SyntheticTake.Host(label: "a", offsetNanoseconds: 0, stretchNanoseconds: 0),
    SyntheticTake.Host(
      label: "b", offsetNanoseconds: 7300, stretchNanoseconds: -37_500, extraFrames: 150),
    SyntheticTake.Host(
      label: "c", offsetNanoseconds: -9100, stretchNanoseconds: 62_254, channels: 2,
      extraFrames: -11),
  ]

  static func written(_ hosts: [SyntheticTake.Host] = hosts) throws -> SyntheticTake {
    let take = SyntheticTake()
    for host in hosts { try take.write(host, cues: [CuePoint(frame: 96_000, text: "clap")]) }
    return take
  }

  static func read(_ path: String) throws -> [Double] {
    var reader = try SoundFileReader(path: path)
    return try reader.read(frames: Int(reader.frames.value))
  }

  @Test("every aligned file is the scene at each exact moment, within −120 dB")
  func exact() throws {
    let take = try Self.written()
    let report = try TakeAligner(inputs: [take.folder]).run()
    #expect(report.frames == 4 * 48_000)
    #expect(report.files.count == 3)
    for file in report.files.values {
      var reader = try SoundFileReader(path: file.output)
      #expect(reader.frames.value == report.frames)
      #expect(reader.bits == 24 && reader.channels == file.channels)
      let samples = try reader.read(frames: Int(report.frames))
      var worst = 0.0
      // The ends of a file are steps, which no band-limited filter follows.
      for frame in 1500..<(4 * 48_000 - 1500) {
        let truth = SyntheticTake.tones(at: Double(frame) * 1e9 / 48_000)
        worst = max(worst, abs(samples[frame * file.channels] - truth))
        if file.channels == 2 { worst = max(worst, abs(samples[frame * 2 + 1] + truth)) }
      }
      #expect(worst < 1e-6, "\(file.label): \(20 * log10(worst)) dB")
    }
  }

  @Test("a draft that an interruption left beside the take's own file is left aside")
  func draft() throws {
    let host = Self.hosts[0]
    let take = try Self.written([host])
    for path in [take.path(host), take.logPath(host)] {
      try take.save(take.load(path), to: path.replacing("_001.", with: "_000."))
    }
    #expect(try TakeAligner(inputs: [take.folder]).run().files.count == 1)
    let other = SyntheticTake()
    try other.write(host)
    _ = system("mv '\(other.path(host))' '\(other.path(host).replacing("_001.", with: "_000."))'")
    _ = system(
      "mv '\(other.logPath(host))' '\(other.logPath(host).replacing("_001.", with: "_000."))'")
    #expect(try TakeAligner(inputs: [other.folder]).run().files.count == 1, "alone it is the take")
  }

  @Test("the report tells offset, ppm and bounds of each file")
  func figures() throws {
    let take = try Self.written()
    let report = try TakeAligner(inputs: [take.folder]).run()
    for host in Self.hosts {
      let file = try #require(report.files.values.first { $0.label == host.label })
      #expect(abs(file.offsetSeconds * 1e9 - Double(host.offsetNanoseconds)) < 1)
      let stretch = Double(host.stretchNanoseconds) * 1e-9
      #expect(abs(file.ppm - (1 / (1 + stretch) - 1) * 1e6) < 0.001)
      #expect(file.pathLimitNanoseconds == 8000)
      #expect((1500...6500).contains(file.jitterBoundNanoseconds))
      #expect(file.matched && file.warnings.isEmpty && file.confidence == 1)
      #expect(file.map.count == 2 && abs(file.map[0][1] - file.offsetSeconds) < 1e-9)
    }
    #expect(report.startShared == take.t0)
    let text = String(decoding: try take.load(report.output + "/align.json"), as: UTF8.self)
    for key in ["\"offset_s\"", "\"jitter_bound_ns\"", "\"schema\"", "\"files\""] {
      #expect(text.contains(key))
    }
  }

  @Test("what aligned files say of themselves is true, and cues lie where they were heard")
  func metadata() throws {
    let take = try Self.written()
    let report = try TakeAligner(inputs: [take.folder]).run()
    let file = try #require(report.files.values.first { $0.label == "c" })
    let bytes = try take.load(file.output)
    let wave = try WaveReader(length: UInt64(bytes.count)) { offset, count throws(WaveError) in
      Array(bytes[min(Int(offset), bytes.count)..<min(Int(offset) + count, bytes.count)])
    }
    #expect(wave.bext?.timeReference == report.timeReference)
    let expected = TimeReference.samples(
      at: take.t0, in: take.session, sampleRate: SampleRate(hertz: 48_000), frameRate: .fps25)
    #expect(report.timeReference == expected)
    let history = try #require(wave.bext?.codingHistory)
    #expect(history.hasPrefix("A=PCM,F=48000,W=24,M=stereo,T=test\r\nA=PCM"), "\(history)")
    #expect(history.contains("T=aligned -62.250 ppm"), "\(history)")
    let ixml = try #require(wave.ixml)
    let reads = IXML(
      text: ixml, speed: IXML.Speed(frameRate: .fps25, format: wave.format, timeReference: 0))
    #expect(reads.scene == "scène <1>")
    #expect(reads.tracks.map(\.name) == ["c 1", "c 2"])
    #expect(reads.history?.parentUID == "uid-c")
    let moment = SyntheticTake.moment(of: 96_000, Self.hosts[2])
    #expect(wave.cues == [CuePoint(frame: UInt64((moment * 48e-6).rounded()), text: "clap")])
  }

  @Test("raw files stay as they are, and a file with nothing to correct is copied bit by bit")
  func untouched() throws {
    let take = try Self.written()
    let before = try Self.hosts.map { try take.load(take.path($0)) }
    let report = try TakeAligner(inputs: [take.folder]).run()
    #expect(try Self.hosts.map { try take.load(take.path($0)) } == before)
    let plain = try #require(report.files.values.first { $0.label == "a" })
    #expect(plain.isCopy)
    #expect(try Self.read(plain.output) == Self.read(plain.path))
    let other = try #require(report.files.values.first { $0.label == "b" })
    #expect(!other.isCopy)
  }

  @Test("a chosen reference keeps its own frames, and the others follow its crystal")
  func reference() throws {
    let take = try Self.written()
    let report = try TakeAligner(inputs: [take.folder], reference: take.path(Self.hosts[1])).run()
    let chosen = try #require(report.files.values.first { $0.label == "b" })
    #expect(chosen.isCopy && abs(chosen.ppm) < 1e-6 && abs(chosen.offsetSeconds) < 1e-9)
    let raw = try Self.read(chosen.path)
    let kept = try Self.read(chosen.output)
    #expect(kept.count == Int(report.frames))
    #expect(kept[..<190_000] == raw[..<190_000])
    let plain = try #require(report.files.values.first { $0.label == "a" })
    let samples = try Self.read(plain.output)
    for frame in stride(from: 2000, to: 180_000, by: 977) {
      let truth = SyntheticTake.tones(at: SyntheticTake.moment(of: Double(frame), Self.hosts[1]))
      #expect(abs(samples[frame] - truth) < 1e-6)
    }
  }

  @Test("files of different rates meet at the highest")
  func rates() throws {
    let take = SyntheticTake()
    try take.write(Self.hosts[0])
    let slow = SyntheticTake.Host(
      label: "d", offsetNanoseconds: 11_000, stretchNanoseconds: 10_000, hertz: 44_100)
    try take.write(slow)
    let report = try TakeAligner(inputs: [take.folder]).run()
    #expect(report.sampleRateHertz == 48_000)
    let file = try #require(report.files.values.first { $0.label == "d" })
    #expect(abs(file.ppm + 10) < 0.001)
    let samples = try Self.read(file.output)
    #expect(samples.count == 4 * 48_000)
    for frame in stride(from: 3000, to: 188_000, by: 977) {
      #expect(abs(samples[frame] - SyntheticTake.tones(at: Double(frame) * 1e9 / 48_000)) < 1e-6)
    }
  }

  @Test("a log that breaks off promises less of what comes behind it")
  func brokenLog() throws {
    let take = SyntheticTake(seconds: 12)
    var hosts = Self.hosts
    for index in hosts.indices { hosts[index].seconds = 12 }
    for host in hosts { try take.write(host, cues: []) }
    let path = take.logPath(hosts[1])
    let lines = try take.load(path).split(separator: UInt8(ascii: "\n"))
    let whole = try TakeAligner(inputs: [take.folder]).run()
    try take.save(Array(lines[..<6].joined(separator: [UInt8(ascii: "\n")])) + [10], to: path)
    let broken = try TakeAligner(inputs: [take.folder], replacesExisting: true).run()
    let name = try #require(whole.files.keys.first { $0.contains("_b-") })
    let (before, after) = (try #require(whole.files[name]), try #require(broken.files[name]))
    #expect(!before.warnings.contains { $0.contains("tells nothing") })
    #expect(after.warnings.contains { $0.contains("tells nothing of 8.0") }, "\(after.warnings)")
    // Eight seconds without a reading, of which two are as ever, at 1 ppm and more.
    #expect(after.jitterBoundNanoseconds > before.jitterBoundNanoseconds + 6000)
    #expect(after.verdict == .check)
  }
}
