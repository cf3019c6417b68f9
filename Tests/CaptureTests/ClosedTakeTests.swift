import BroadcastWave
import Recording
import TestFolders
import TestLanes
import Testing
import Units

@testable import CaptureEngine

@Suite("A take that is closed", .computing)
struct ClosedTakeTests {
  private static func entry(of take: RecordedFiles) throws -> TakeArchive.Entry {
    let name = try #require(take.workspace.files.first { $0.hasSuffix(".take.json") })
    let parts = name.split(separator: "/")
    return TakeArchive.Entry(
      summary: try take.summary(),
      folder: take.workspace.path + "/" + parts.dropLast().joined(separator: "/"),
      name: String(parts.last ?? ""))
  }

  @Test("a mark comes to its frame in each file that has it, and nothing else changes")
  func mark() throws {
    let take = try RecordedFiles(
      channels: 2, settings: FileSettings(isMono: true, split: .length(.seconds(1))),
      plan: { $0 = $0.renamed("a.wav b", project: nil, tape: nil) })
    try take.write()
    try take.finish()
    let before = try take.sounds.map { try take.samples($0) }
    let entry = try Self.entry(of: take)
    let (t0, limit) = (take.recorder.t0, WaveTrailer.usualLimit)
    let second = t0 + .milliseconds(1250)
    let closing = try TakeEditing.mark("Türe", at: second, in: entry, limit: limit)
    try #require(closing).wait()
    try #require(
      try TakeEditing.mark("head", at: t0 + .milliseconds(1000), in: entry, limit: limit)
    ).wait()
    let summary = try take.summary()
    #expect(summary.markers?.map(\.frame) == [8000, 10_000])
    #expect(summary.markers?.last?.shared == second)
    #expect(take.sounds.count == 6)
    for (place, name) in take.sounds.enumerated() {
      let isSecond = name.contains("_002")
      let wave = try take.read(name)
      let cues = wave.cues.sorted { $0.frame < $1.frame }
      #expect(cues.map(\.frame) == (isSecond ? [0, 2000] : []), "\(name)")
      #expect(cues.map(\.text) == (isSecond ? ["head", "Türe"] : []), "\(name)")
      let points = try take.ixml(name).syncPoints.map(\.sample)
      #expect(points == (isSecond ? [0, 2000] : []), "\(name)")
      #expect(wave.assumptions.isEmpty)
      #expect(wave.toldLength == UInt64(take.workspace.bytes(of: name).count))
      #expect(try take.samples(name) == before[place])
    }
    for file in summary.fileDetails ?? [] {
      #expect(file.sha256 == ClosedFile.sha256(of: entry.folder + "/" + file.name), "\(file.name)")
    }
  }

  @Test("an instant that the take does not have changes nothing")
  func outside() throws {
    let take = try RecordedFiles(frames: 3000)
    try take.write()
    try take.finish()
    let entry = try Self.entry(of: take)
    let before = take.workspace.files.map { take.workspace.bytes(of: $0) }
    let t0 = take.recorder.t0
    // The frame behind the last one is the end, and is marked; the next is beyond.
    for off in [Duration.milliseconds(-1), .milliseconds(375) + .microseconds(126)] {
      let mark = try TakeEditing.mark("x", at: t0 + off, in: entry, limit: WaveTrailer.usualLimit)
      #expect(mark == nil, "\(off)")
    }
    #expect(take.workspace.files.map { take.workspace.bytes(of: $0) } == before)
    let end = try TakeEditing.mark(
      "end", at: t0 + .milliseconds(375), in: entry, limit: WaveTrailer.usualLimit)
    try #require(end).wait()
    #expect(try take.read(take.sounds[0]).cues.map(\.frame) == [3000])
  }
}
