import BroadcastWave
import Glibc
import TakeAlignment
import TestFolders
import TestLanes
import Testing

@Suite("What align renders into, and what an interruption leaves", .computing)
struct RenderingTests {
  @Test("one poly file holds exactly what single files hold")
  func poly() throws {
    let take = try TakeAlignerTests.written()
    let single = try TakeAligner(inputs: [take.folder]).run()
    var options = AlignmentOptions(inputs: [take.folder])
    options.output = take.folder + "/poly"
    options.isPoly = true
    options.exports = ["csv"]
    let report = try TakeAligner(options).run()
    #expect(
      Set(report.files.values.map(\.output)) == [take.folder + "/poly/scene-T01_poly_aligned.wav"])
    let path = take.folder + "/poly/scene-T01_poly_aligned.wav"
    let list = String(decoding: try take.load(take.folder + "/poly/scene.csv"), as: UTF8.self)
    #expect(list.contains("scene-T01_poly_aligned,poly,scène <1>,"), "\(list)")
    let bytes = try take.load(path)
    let wave = try WaveReader(length: UInt64(bytes.count)) { offset, count throws(WaveError) in
      Array(bytes[min(Int(offset), bytes.count)..<min(Int(offset) + count, bytes.count)])
    }
    #expect(wave.format.channels == 4 && wave.frames == UInt64(report.frames))
    let ixml = IXMLReading(try #require(wave.ixml))
    #expect(ixml.tracks.map(\.name) == ["a 1", "b 1", "c 1", "c 2"])
    #expect(ixml.tracks.map(\.interleave) == [1, 2, 3, 4])
    #expect(wave.cues.count >= 2 && wave.bext?.codingHistory.contains("3 files as one") == true)
    let all = try TakeAlignerTests.read(path)
    for (name, file) in single.files {
      let channel = try #require(report.files[name]?.outputChannel) - 1
      let samples = try TakeAlignerTests.read(file.output)
      for inner in 0..<file.channels {
        let same = (0..<Int(report.frames)).allSatisfy {
          all[$0 * 4 + channel + inner] == samples[$0 * file.channels + inner]
        }
        #expect(same, "\(name) channel \(inner)")
      }
    }
  }

  @Test("Ctrl-C while rendering leaves whole files and nothing half-written")
  func interruption() throws {
    let take = try TakeAlignerTests.written()
    var wrote = 0
    #expect(throws: AlignmentError.interrupted) {
      try TakeAligner(inputs: [take.folder]).run { progress in
        if case .wrote = progress { wrote += 1 }
        if wrote == 1, case .rendering = progress { pthread_kill(pthread_self(), SIGINT) }
      }
    }
    let left = try #require(TestFolder.names(in: take.folder + "/aligned")).sorted()
    #expect(left == ["scene-T01_a-0000_001_aligned.wav"])
    // The next run is whole.
    let report = try TakeAligner(inputs: [take.folder], replacesExisting: true).run()
    #expect(report.files.count == 3)
    let remains = try #require(TestFolder.names(in: take.folder + "/aligned"))
    #expect(!remains.contains { $0.hasSuffix(".part") })
  }

  @Test("samples beyond full scale are clipped in integers, which is said, and kept as floats")
  func overload() throws {
    let folder = TestFolder()
    let frames = (0..<4800).map { $0 % 96 == 0 ? 1.5 : 0.25 }
    var file = ForeignFile(frameRate: "25/1", timeReference: 4_800_000, samples: frames)
    file.isFloat = true
    let path = folder.write(file.zoom, to: "loud.wav")
    let report = try TakeAligner(inputs: [path]).run()
    #expect(
      report.files["loud.wav"]?.warnings.contains { $0.contains("50 samples lie beyond") } == true)
    var options = AlignmentOptions(inputs: [path])
    options.output = folder.path + "/float"
    options.format = .float32
    let kept = try TakeAligner(options).run()
    #expect(kept.files["loud.wav"]?.warnings.contains { $0.contains("beyond") } == false)
    let samples = try TakeAlignerTests.read(try #require(kept.files["loud.wav"]).output)
    #expect(samples == frames)
  }
}
