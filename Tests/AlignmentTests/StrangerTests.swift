import FoundationEssentials
import Glibc
import TakeAlignment
import TestFolders
import TestLanes
import Testing
import Units

/// Files that have no place among others that have.
@Suite("A file without a place among others", .computing)
struct StrangerTests {
  private let folder = TestFolder()
  private static let noon: UInt64 = 43_200 * 48_000

  private func timed(_ name: String, later: UInt64 = 0) -> String {
    folder.write(
      ForeignFile(
        frameRate: "25/1", timeReference: Self.noon + later,
        samples: [Double](repeating: 0.1, count: 48_000)
      ).zoom, to: name)
  }

  private func plain(_ name: String) -> String {
    folder.write(
      ForeignFile(frameRate: nil, timeReference: 0, samples: [0.1, 0.2, 0.3]).plain, to: name)
  }

  @Test("by timecode: one without, and one that is no sound, are listed and the others go on")
  func timecode() throws {
    var options = AlignmentOptions(inputs: [
      timed("a.wav"), plain("b.wav"), timed("c.wav", later: 480),
      folder.write(Array("no sound".utf8), to: "d.wav"),
    ])
    options.method = .timecode
    options.exports = ["reaper"]
    let report = try TakeAligner(options).run()
    #expect(report.files["a.wav"]?.verdict == .good)
    #expect(abs((report.files["c.wav"]?.offsetSeconds ?? 0) - 0.01) < 1e-9)
    let without = try #require(report.files["b.wav"])
    #expect(without.verdict == .bad && !without.matched && without.output.isEmpty)
    #expect(without.frames == 3 && without.channels == 1 && without.sampleRateHertz == 48_000)
    #expect(without.warnings.contains { $0.contains("no timecode in it") })
    let junk = try #require(report.files["d.wav"])
    #expect(junk.verdict == .bad && junk.warnings.contains { $0.contains("is no WAV file") })
    let page = try String(contentsOf: URL(filePath: report.output + "/align.html"), encoding: .utf8)
    #expect(page.contains("2 of 4 files have no place"))
  }

  @Test("by timecode: where none has a place, the first reason is the error")
  func noneLeft() throws {
    var options = AlignmentOptions(inputs: [plain("b.wav"), plain("c.wav")])
    options.method = .timecode
    let path = options.inputs[0]
    #expect {
      try TakeAligner(options).run()
    } throws: { error in
      if case AlignmentError.noTimingLog(let file, _) = error { return file == path }
      return false
    }
  }

  @Test("by sound: a file that cannot be read is listed, unless one alone is left")
  func sound() throws {
    let event = Event(seconds: 14, seed: 21)
    let paths = try (0..<2).map { number in
      folder.write(
        ForeignFile(
          frameRate: nil, timeReference: 0,
          samples: try event.recorded(
            from: 2 - 0.5 * Double(number), seconds: 8, noise: 0.001, seed: 1
          ).map(Double.init)
        ).plain, to: "\(number).wav")
    }
    let junk = folder.write(Array("no sound at all".utf8), to: "junk.wav")
    var options = AlignmentOptions(inputs: [paths[0], junk, paths[1]])
    options.method = .sound
    options.onlyReports = true
    let report = try TakeAligner(options).run()
    #expect(abs((report.files["1.wav"]?.offsetSeconds ?? 0) + 0.5) < 1e-5)
    let refused = try #require(report.files["junk.wav"])
    #expect(refused.verdict == .bad && refused.frames == 0)
    #expect(refused.warnings.contains { $0.contains("cannot be read") })
    options.inputs = [paths[0], junk]
    #expect(throws: AlignmentError.self) { try TakeAligner(options).run() }
  }

  @Test("a stray file of another take is listed; of two takes alike none is chosen")
  func otherTake() throws {
    let take = try TakeAlignerTests.written()
    let stray = TakeAlignerTests.hosts[2]
    let log = String(decoding: try take.load(take.logPath(stray)), as: UTF8.self)
    let place = try #require(log.firstRange(of: take.take.description))
    let other = String(repeating: "f", count: 32)
    try take.save(
      Array((log[..<place.lowerBound] + other + log[place.upperBound...]).utf8),
      to: take.logPath(stray))
    let report = try TakeAligner(inputs: [take.folder]).run()
    let file = try #require(report.files.values.first { $0.path == take.path(stray) })
    #expect(file.verdict == .bad && file.warnings.contains { $0.contains("of another take") })
    #expect(report.files.values.count { $0.matched } == 2)
    let alike = [take.path(TakeAlignerTests.hosts[0]), take.path(stray)]
    #expect(throws: AlignmentError.differentTakes(one: alike[0], other: alike[1])) {
      try TakeAligner(inputs: alike, replacesExisting: true).run()
    }
  }
}
