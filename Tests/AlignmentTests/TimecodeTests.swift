import BroadcastWave
import FoundationEssentials
import SoundFile
import TakeAlignment
import TestFolders
import TestLanes
import Testing

@Suite("Files placed by timecode", .computing)
struct TimecodeTests {
  private let folder = TestFolder()

  /// Three tones, by seconds since timecode zero.
  private static func scene(_ first: UInt64, hertz: Int = 48_000, count: Int) -> [Double] {
    (0..<count).map {
      SyntheticTake.tones(at: Double($0) * 1e9 / Double(hertz) + offset(first, hertz))
    }
  }

  /// Nanoseconds into the tones' period of ten seconds, so that no precision is lost.
  private static func offset(_ first: UInt64, _ hertz: Int) -> Double {
    Double(first % UInt64(10 * hertz)) * 1e9 / Double(hertz)
  }

  private func aligned(
    _ paths: [String], _ change: (inout AlignmentOptions) -> Void = { _ in }
  ) throws -> AlignmentReport {
    var options = AlignmentOptions(inputs: paths)
    change(&options)
    return try TakeAligner(options).run()
  }

  @Test("files of two makers lie to the sample where their timecode says")
  func layouts() throws {
    let one: UInt64 = 45_600 * 48_000
    let other = one + 36_007
    let zoom = ForeignFile(
      frameRate: "25/1", timeReference: one, samples: Self.scene(one, count: 96_000))
    let devices = ForeignFile(
      frameRate: "25/1", timeReference: other, samples: Self.scene(other, count: 96_000))
    let paths = [
      folder.write(zoom.zoom, to: "ZOOM0001.WAV"),
      folder.write(devices.soundDevices, to: "S16T01.WAV"),
    ]
    let report = try aligned(paths)
    #expect(report.method == "timecode" && report.timeReference == one)
    #expect(report.frames == 96_000 + 36_007)
    let late = try #require(report.files["S16T01.WAV"])
    #expect(abs(late.offsetSeconds - 36_007.0 / 48_000) < 1e-9 && late.verdict == .good)
    // A frame of 40 ms, and what two crystals drift in two seconds.
    #expect(late.jitterBoundNanoseconds == 40_100_000)
    #expect(late.isCopy && report.files["ZOOM0001.WAV"]?.isCopy == true)
    let first = try TakeAlignerTests.read(try #require(report.files["ZOOM0001.WAV"]).output)
    let second = try TakeAlignerTests.read(late.output)
    #expect(first.count == second.count)
    #expect((36_007..<96_000).allSatisfy { abs(first[$0] - second[$0]) < 3e-7 })
    #expect(second[..<36_007].allSatisfy { $0 == 0 } && first[96_000...].allSatisfy { $0 == 0 })
  }

  @Test("23.976 with a recorder's own rounding, and a file of another rate, meet within −120 dB")
  func rates() throws {
    // A Sound Devices file holds 2190940753 for 12:39:59:00 at 23.976; exact is 2190940752.
    let one: UInt64 = 2_190_940_753
    let other: UInt64 = 2_190_940_752 / 48_000 * 44_100 + 55_000
    let paths = [
      folder.write(
        ForeignFile(
          frameRate: "24000/1001", timeReference: one, samples: Self.scene(one, count: 144_000)
        ).soundDevices, to: "a.wav"),
      folder.write(
        ForeignFile(
          frameRate: "24000/1001", timeReference: other, hertz: 44_100,
          samples: Self.scene(other, hertz: 44_100, count: 88_200)
        ).zoom, to: "b.wav"),
    ]
    let report = try aligned(paths)
    let file = try #require(report.files["b.wav"])
    let truth = Double(other) / 44_100 - Double(one) / 48_000
    #expect(abs(file.offsetSeconds - truth) < 1e-8)
    #expect(report.timeReference == one && report.sampleRateHertz == 48_000)
    let first = try TakeAlignerTests.read(try #require(report.files["a.wav"]).output)
    let second = try TakeAlignerTests.read(file.output)
    let begin = Int(truth * 48_000) + 2000
    #expect((begin..<124_000).allSatisfy { abs(first[$0] - second[$0]) < 2e-6 })
  }

  @Test("a file that begins after midnight lies behind one that begins before it")
  func midnight() throws {
    let before = ForeignFile(
      frameRate: "25/1", timeReference: (86_400 - 1) * 48_000,
      samples: [Double](repeating: 0.1, count: 96_000))
    let after = ForeignFile(
      frameRate: "25/1", timeReference: 24_000, samples: [Double](repeating: 0.2, count: 48_000))
    let report = try aligned([
      folder.write(after.zoom, to: "after.wav"),
      folder.write(before.zoom, to: "before.wav"),
    ])
    #expect(report.timeReference == (86_400 - 1) * 48_000)
    #expect(report.files["after.wav"]?.offsetSeconds == 1.5)
    #expect(report.files["before.wav"]?.offsetSeconds == 0)
  }

  @Test("timecode that counts otherwise, and a file of another hour, have no place, and say why")
  func clashes() throws {
    let noon: UInt64 = 43_200 * 48_000
    let tone = [Double](repeating: 0.1, count: 48_000)
    var drop = ForeignFile(frameRate: "30000/1001", timeReference: noon, samples: tone)
    drop.flag = "DF"
    let report = try aligned([
      folder.write(
        ForeignFile(frameRate: "25/1", timeReference: noon, samples: tone).zoom, to: "a.wav"),
      folder.write(
        ForeignFile(frameRate: "50/1", timeReference: noon + 10, samples: tone).zoom, to: "b.wav"),
      folder.write(drop.zoom, to: "drop.wav"),
      folder.write(
        ForeignFile(frameRate: "25/1", timeReference: noon / 2, samples: tone).zoom,
        to: "morning.wav"),
    ])
    #expect(report.files["a.wav"]?.matched == true && report.files["b.wav"]?.matched == true)
    let other = try #require(report.files["drop.wav"])
    #expect(other.verdict == .bad && other.output.isEmpty)
    #expect(other.warnings.contains { $0.contains("counts at 29.97DF") })
    let morning = try #require(report.files["morning.wav"])
    #expect(morning.verdict == .bad)
    #expect(morning.warnings.contains { $0.contains("it begins at 06:00:00:00, when none") })
    #expect(report.frames == 48_010)
  }

  @Test("what bext and iXML tell differently is said; a rate that nobody tells widens the bound")
  func contradictions() throws {
    let noon: UInt64 = 43_200 * 48_000
    let tone = [Double](repeating: 0.1, count: 48_000)
    var torn = ForeignFile(frameRate: "25/1", timeReference: noon, samples: tone)
    torn.ixmlReference = noon + 2
    let report = try aligned([
      folder.write(torn.zoom, to: "torn.wav"),
      folder.write(
        ForeignFile(frameRate: nil, timeReference: noon + 100, samples: tone).bextAlone,
        to: "pocket.wav"),
    ])
    let one = try #require(report.files["torn.wav"])
    #expect(one.verdict == .check && one.warnings.contains { $0.contains("bext's is taken") })
    let pocket = try #require(report.files["pocket.wav"])
    #expect(pocket.jitterBoundNanoseconds == 41_708_333 + 50_000)
    #expect(pocket.warnings.contains { $0.contains("does not tell its timecode's rate") })
  }

  @Test("a guest without a timing log lies on a take's timeline where its timecode says")
  func guest() throws {
    let take = SyntheticTake()
    try take.write(SyntheticTake.Host(label: "a"))
    let own = try #require(try aligned([take.folder], { $0.onlyReports = true }).timeReference)
    let samples = (0..<96_000).map { SyntheticTake.tones(at: Double($0 + 24_000) * 1e9 / 48_000) }
    let guest = ForeignFile(frameRate: "25/1", timeReference: own + 24_000, samples: samples)
    let early = ForeignFile(frameRate: "25/1", timeReference: own - 960_000, samples: samples)
    try take.save(guest.zoom, to: take.folder + "/guest.wav")
    try take.save(early.zoom, to: take.folder + "/early.wav")
    let report = try aligned([take.folder])
    #expect(report.method == "clock" && report.frames == 4 * 48_000)
    let file = try #require(report.files["guest.wav"])
    #expect(file.offsetSeconds == 0.5 && file.isCopy && file.verdict == .check)
    #expect(file.warnings.contains { $0.contains("to a frame") })
    let sound = try TakeAlignerTests.read(file.output)
    let truth = (24_000..<120_000).allSatisfy {
      abs(sound[$0] - SyntheticTake.tones(at: Double($0) * 1e9 / 48_000)) < 2e-7
    }
    #expect(truth && sound.count == 4 * 48_000)
    #expect(report.files["early.wav"]?.verdict == .bad)
  }

  @Test("sound tells by how much timecode was off, and is not obeyed")
  func check() throws {
    let event = Event(seconds: 12, seed: 8)
    let noon: UInt64 = 43_200 * 48_000
    let one = try event.recorded(from: 1, seconds: 8, noise: 0.001, seed: 1)
    let other = try event.recorded(from: 2.013, seconds: 8, noise: 0.001, seed: 1)
    let report = try aligned([
      folder.write(
        ForeignFile(frameRate: "25/1", timeReference: noon, samples: one.map(Double.init)).zoom,
        to: "one.wav"),
      folder.write(
        ForeignFile(
          frameRate: "25/1", timeReference: noon + 48_000, samples: other.map(Double.init)
        )
        .zoom, to: "other.wav"),
    ]) {
      $0.checksBySound = true
      $0.onlyReports = true
    }
    let file = try #require(report.files["other.wav"])
    #expect(file.offsetSeconds == 1)
    let sound = try #require(file.sound)
    #expect(abs((sound.differenceSeconds ?? 0) - 0.013) < 2e-5, "\(sound)")
  }

  @Test("files called alike on two cards are told apart by their folders")
  func names() throws {
    let noon: UInt64 = 43_200 * 48_000
    let tone = [Double](repeating: 0.1, count: 4800)
    let file = ForeignFile(frameRate: "25/1", timeReference: noon, samples: tone)
    let report = try aligned([
      folder.write(file.zoom, to: "card1/ZOOM0001.WAV"),
      folder.write(file.zoom, to: "card2/ZOOM0001.WAV"),
    ]) { $0.output = folder.path + "/out" }
    #expect(report.names == ["card1/ZOOM0001.WAV", "card2/ZOOM0001.WAV"])
    #expect(folder.files.contains("out/card1_ZOOM0001_aligned.wav"))
    #expect(folder.files.contains("out/card2_ZOOM0001_aligned.wav"))
  }
}
