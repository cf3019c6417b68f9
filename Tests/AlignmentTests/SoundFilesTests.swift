import BroadcastWave
import FoundationEssentials
import Glibc
import SoundFile
import TakeAlignment
import TestFolders
import TestLanes
import Testing
import Units

@Suite("Files placed by sound", .computing)
struct SoundFilesTests {
  /// A folder with three recordings of one event and one of another.
  private struct Folder {
    private let place = TestFolder()
    var path: String { place.path }

    func write(_ samples: [Float], to name: String) -> String {
      let format = WaveFormat(
        sampleRate: SampleRate(hertz: 48_000), channels: 1, encoding: .integer(bits: 24))
      let bext = Bext(
        description: name, originator: "test", originatorReference: "",
        begins: CivilTime(unixNanoseconds: 0, utcOffsetSeconds: 0), timeReference: 48_000_000,
        codingHistory: "")
      let header = WaveHeader(
        format: format, bext: bext,
        ixml: IXML(
          speed: IXML.Speed(frameRate: .fps25, format: format, timeReference: 48_000_000)))
      var bytes = header.bytes
      for sample in samples {
        let value = Int32((sample * 8_388_607).rounded())
        for shift in [Int32(0), 8, 16] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
      }
      for patch in header.sizePatches(dataBytes: UInt64(samples.count * 3), trailerBytes: 0) {
        bytes.replaceSubrange(
          Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
      }
      return place.write(bytes, to: name)
    }
  }

  @Test("two are laid onto each other, a stranger is refused, sessions and a page are made")
  func files() throws {
    let event = Event(seconds: 14, seed: 21)
    let folder = Folder()
    let one = try event.recorded(from: 2, seconds: 8, noise: 0.001, seed: 1)
    let other = try event.recorded(from: 1.5, seconds: 8, ppm: 50, noise: 0.001, seed: 1)
    let stranger = try Event(seconds: 10, seed: 5).recorded(from: 1, seconds: 6, seed: 3)
    var options = AlignmentOptions(inputs: [
      folder.write(one, to: "a.wav"), folder.write(other, to: "b.wav"),
      folder.write(stranger, to: "c.wav"),
    ])
    options.method = .sound
    options.exports = ["reaper", "otio"]
    let report = try TakeAligner(options).run()
    #expect(report.method == "sound" && report.reference == "a.wav")
    let placed = try #require(report.files["b.wav"])
    #expect(placed.matched && placed.verdict == .good && placed.confidence > 0.999)
    #expect(abs(placed.offsetSeconds + 0.5) * 48_000 < 0.1 && abs(placed.ppm - 50) < 0.5)
    let refused = try #require(report.files["c.wav"])
    #expect(!refused.matched && refused.verdict == .bad && refused.output.isEmpty)
    #expect(refused.warnings.contains { $0.contains("has no place") })
    #expect(report.timeReference == 48_000_000 - 24_000)

    let first = try Self.read(try #require(report.files["a.wav"]).output)
    let second = try Self.read(placed.output)
    #expect(first.count == second.count && Int64(first.count) == report.frames)
    var (difference, power) = (0.0, 0.0)
    for frame in 48_000..<300_000 {
      difference += (first[frame] - second[frame]) * (first[frame] - second[frame])
      power += first[frame] * first[frame]
    }
    // Each place has its own noise, and the top of the spectrum tells of hundredths of a sample.
    #expect(10 * log10(difference / power) < -22, "\(10 * log10(difference / power)) dB")
    for name in ["align.json", "align.html", "aligned.rpp", "aligned.otio"] {
      #expect(access("\(report.output)/\(name)", R_OK) == 0, "\(name)")
    }
    #expect(access("\(report.output)/align.html.part", F_OK) != 0)
  }

  @Test("one file alone, and a report alone")
  func few() throws {
    let folder = Folder()
    let sound = try Event(seconds: 5, seed: 2).recorded(from: 0, seconds: 4, seed: 1)
    let path = folder.write(sound, to: "a.wav")
    var options = AlignmentOptions(inputs: [path])
    options.method = .sound
    #expect(throws: AlignmentError.oneFileOnly(file: path)) { try TakeAligner(options).run() }
    options.inputs.append(
      folder.write([Float](repeating: 0, count: 200_000), to: "silent.wav"))
    options.onlyReports = true
    let report = try TakeAligner(options).run()
    #expect(report.files["silent.wav"]?.verdict == .bad && report.output.isEmpty)
    #expect(access(folder.path + "/aligned", F_OK) != 0)
  }

  @Test("what a file lost is found also where the reference is named last")
  func referenceLast() throws {
    let event = Event(seconds: 24, seed: 11)
    let folder = TestFolder()
    let one = try event.recorded(from: 2, seconds: 20, seed: 4)
    var other = try event.recorded(from: 2.5, seconds: 20, ppm: 20, seed: 5)
    other.removeSubrange(432_000..<432_333)
    let paths = [other, one].enumerated().map { number, samples in
      folder.write(
        ForeignFile(
          frameRate: nil, timeReference: 0, samples: samples.map(Double.init)
        ).plain, to: "\(number).wav")
    }
    var options = AlignmentOptions(inputs: paths)
    options.method = .sound
    options.reference = paths[1]
    options.onlyReports = true
    options.page = folder.path + "/page.html"
    let report = try TakeAligner(options).run()
    #expect(report.reference == "1.wav")
    #expect(report.files["0.wav"]?.repairs?.map(\.frames) == [333])
    #expect((report.files["0.wav"]?.sigmaHeadNanoseconds ?? 0) > 0)
    let page = String(
      decoding: try Data(contentsOf: URL(filePath: folder.path + "/page.html")), as: UTF8.self)
    for title in [
      "A moment of sound, before", "A moment of sound, aligned", "Correlation with the reference",
    ] {
      #expect(page.contains(title), "\(title)")
    }
  }

  @Test("silence, a clipped file and one cut off in its middle each get a verdict in words")
  func poor() throws {
    let event = Event(seconds: 12, seed: 33)
    let folder = TestFolder()
    func file(_ samples: [Float], hertz: Int = 48_000) -> ForeignFile {
      ForeignFile(
        frameRate: "25/1", timeReference: 48_000_000, hertz: hertz,
        samples: samples.map(Double.init))
    }
    let one = try event.recorded(from: 0, seconds: 10, noise: 0.001, seed: 1)
    let loud = try event.recorded(from: 1, seconds: 8, noise: 0.001, seed: 2).map {
      max(-1, min(1, 40 * $0))
    }
    let cut = file(try event.recorded(from: 2, seconds: 8, noise: 0.001, seed: 3)).plain
    var options = AlignmentOptions(inputs: [
      folder.write(file(one).plain, to: "a.wav"),
      folder.write(file(loud).plain, to: "clipped.wav"),
      folder.write(Array(cut[..<(cut.count * 2 / 3)]), to: "cut.wav"),
      folder.write(file([Float](repeating: 0, count: 300_000)).plain, to: "silent.wav"),
    ])
    options.method = .sound
    options.onlyReports = true
    let report = try TakeAligner(options).run()
    let clipped = try #require(report.files["clipped.wav"])
    #expect(clipped.verdict == .check && clipped.warnings.contains { $0.contains("is clipped") })
    #expect(abs(clipped.offsetSeconds - 1) < 2e-5)
    let torn = try #require(report.files["cut.wav"])
    #expect(abs(torn.offsetSeconds - 2) < 2e-5 && torn.verdict == .check, "\(torn.warnings)")
    #expect(!torn.warnings.isEmpty)
    let silent = try #require(report.files["silent.wav"])
    #expect(silent.verdict == .bad && silent.warnings.contains { $0.contains("it is silent") })
  }

  private static func read(_ path: String) throws -> [Double] {
    var reader = try SoundFileReader(path: path)
    return try reader.read(frames: Int(reader.frames.value))
  }
}
