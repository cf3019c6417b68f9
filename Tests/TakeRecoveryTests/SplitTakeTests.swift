import BroadcastWave
import FoundationEssentials
import Glibc
import TakeRecovery
import TestFolders
import TestLanes
import Testing
import Units

@testable import CaptureEngine
@testable import Recording

/// Takes of several files, whose recorder never came to write `take.json`.
@Suite("Recovering takes of several files", .computing)
final class SplitTakeTests {
  private static let peer = PeerID(high: 0xAB12_0000_0000_0000, low: 1)
  private let place = TestFolder()
  private var folder: String { place.path }

  private let format = WaveFormat(
    sampleRate: SampleRate(hertz: 8000), channels: 2, encoding: .integer(bits: 24))

  /// The writers of a take at 8 kHz, split into seconds unless it is a draft.
  private func recorder(
    isMono: Bool = false, isDraft: Bool = false, followsDraft: Bool = true
  ) throws -> TakeRecorder {
    let session = Session(
      id: SessionID(high: 5, low: 1), anchorUnixNanoseconds: 1_790_000_000_000_000_000,
      anchorErrorNanoseconds: 0, utcOffsetSeconds: 7200)
    let t0 = session.anchor + .seconds(10)
    let settings = FileSettings(isMono: isMono, split: .length(.seconds(1)))
    let recorder = try TakeRecorder(
      plan: TakePlan(
        id: TakeID(high: 0x77C0 << 48, low: 9), name: "Brücke", number: 3, project: "映画",
        timecode: "29.97DF"),
      t0: t0,
      beginning: Cut.Beginning(
        first: SampleIndex(1000), host: HostInstant(nanoseconds: 1_000_000_000), shared: t0,
        boundNanoseconds: 900, isWhole: true, begins: t0),
      output: folder,
      host: CaptureHost(peer: Self.peer, label: "mic", software: "recorder test", bootID: "boot"),
      session: session, format: format, settings: isDraft ? settings.forDraft : settings,
      isDraft: isDraft, followsDraft: followsDraft)
    try recorder.write(.clock(clock(0, t0)))
    return recorder
  }

  private func clock(_ frame: Int64, _ t0: SharedInstant) -> TimingLogClock {
    let span = format.sampleRate.duration(of: FrameCount(frame))
    return TimingLogClock(
      frame: frame, host: HostInstant(nanoseconds: 1_000_000_000) + span, shared: t0 + span,
      jitterBoundNanoseconds: 800, pathLimitNanoseconds: 7000, cardBoundNanoseconds: 100,
      cardPPM: 0, skewPPM: 0, generation: 1)
  }

  private func append(_ frames: Int, to recorder: TakeRecorder) throws {
    try recorder.append((0..<frames * 6).map { UInt8($0 % 61) })
    try recorder.write(.clock(clock(recorder.frames - 1, recorder.t0)))
    try recorder.keepTrue()
  }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".") }
      .compactMap { $0.split(separator: "/").last.map(String.init) }.sorted()
  }

  private func summary() throws -> TakeSummary {
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".take.json")
    }
    #expect(all.count == 1, "\(all)")
    let path = folder + "/" + (try #require(all.first))
    return try JSONDecoder().decode(
      TakeSummary.self, from: Data(contentsOf: URL(filePath: path)))
  }

  @Test("one take.json tells of all segments, those that were closed in time among them")
  func segments() throws {
    do {
      let recorder = try recorder()
      // Ten seconds later a full segment is closed.
      for _ in 0..<13 { try append(8000, to: recorder) }
      try append(4000, to: recorder)
      try recorder.mark(text: "clap", frame: 20_000)
    }
    let before = try names()
    let dry = try TakeRecovery(inputs: [folder], isDryRun: true).run()
    #expect(try names() == before)
    let report = try TakeRecovery(inputs: [folder]).run()
    #expect(report.files.map(\.done) == dry.files.map(\.done), "a dry run says what a run does")
    #expect(report.files.allSatisfy { $0.reason == nil })
    let summary = try summary()
    #expect(summary.files.count == 14 && summary.frames == 13 * 8000 + 4000)
    #expect(summary.fileDetails?.map(\.firstFrame) == (0..<14).map { Int64($0) * 8000 })
    #expect(summary.take.number == 3 && summary.take.name == "Brücke")
    #expect(summary.take.project == "映画" && summary.take.timecode == "29.97DF")
    #expect(summary.verdict == .partial && summary.peer == Self.peer && summary.label == "mic")
    #expect(summary.reasons?.last == "recovered after an interruption")
    #expect(summary.timecode?.hasSuffix("at 29.97DF") == true)
    #expect(summary.certificate?.tail?.frame == 107_999)
    #expect(summary.markers?.map(\.frame) == [20_000])
    let after = try names()
    #expect(try TakeRecovery(inputs: [folder]).run().files.allSatisfy { $0.outcome == .whole })
    #expect(try names() == after && !after.contains { $0.hasSuffix(".part") })
  }

  @Test("a file for each track: one take.json tells of all")
  func mono() throws {
    do { try append(5000, to: try recorder(isMono: true)) }
    let report = try TakeRecovery(inputs: [folder], own: Self.peer).run()
    #expect(report.files.map(\.outcome) == [.recovered, .recovered])
    let summary = try summary()
    #expect(summary.files.map { $0.suffix(11) } == ["_01_001.wav", "_02_001.wav"])
    #expect(summary.frames == 5000 && summary.channels == 2)
    #expect(summary.fileDetails?.map(\.track) == [1, 2])
    #expect(try TakeRecovery(inputs: [folder], own: Self.peer).run().files.isEmpty)
  }

  @Test("a split take that was closed in good order is none to recover")
  func whole() throws {
    let recorder = try recorder()
    for _ in 0..<3 { try append(8000, to: recorder) }
    try recorder.finish(t1: recorder.t0 + .seconds(3), isComplete: true).wait()
    let before = try names()
    let report = try TakeRecovery(inputs: [folder]).run()
    #expect(report.files.map(\.outcome) == [.whole, .whole, .whole])
    #expect(try TakeRecovery(inputs: [folder], own: Self.peer).run().files.isEmpty)
    #expect(try names() == before)
  }

  @Test("of a take that was started again only what nobody tells of gets a take.json of its own")
  func again() throws {
    let first = try recorder()
    try append(4000, to: first)
    try first.finish(t1: first.t0 + .milliseconds(500), isComplete: true).wait()
    do { try append(2000, to: try recorder()) }
    let done = try TakeRecovery(inputs: [folder]).run().files.flatMap(\.done)
    #expect(done.last == "wrote mic-ab12_002.take.json", "\(done)")
    #expect(try TakeRecovery(inputs: [folder]).run().files.allSatisfy { $0.done.isEmpty })
  }

  @Test("take.json waits for a file that nobody asked to recover")
  func alone() throws {
    do {
      let recorder = try recorder()
      for _ in 0..<2 { try append(8000, to: recorder) }
    }
    let parts = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".wav.part")
    }.sorted()
    let one = try TakeRecovery(inputs: [folder + "/" + parts[1]]).run().files[0]
    #expect(one.outcome == .recovered && one.assumed.contains { $0.contains("waits for it") })
    #expect(try !names().contains { $0.hasSuffix(".take.json") })
    _ = try TakeRecovery(inputs: [folder + "/" + parts[0]]).run()
    #expect(try summary().files.count == 2)
  }

  @Test("what was kept safe of a beginning counts alone, or not at all")
  func draft() throws {
    do { try append(3000, to: try recorder(isDraft: true)) }
    _ = try TakeRecovery(inputs: [folder]).run()
    #expect(try summary().files.map { $0.suffix(8) } == ["_000.wav"])
    _ = system("rm -rf '\(folder)'/*")
    do {
      try append(3000, to: try recorder(isDraft: true))
      try append(5000, to: try recorder())
    }
    _ = try TakeRecovery(inputs: [folder]).run()
    #expect(try summary().files.map { $0.suffix(8) } == ["_001.wav"])
    #expect(try TakeRecovery(inputs: [folder]).run().files.allSatisfy { $0.done.isEmpty })
  }

  @Test("a take that goes on after an interruption leaves its draft a place, and is left alone")
  func goesOn() throws {
    do { try append(3000, to: try recorder(isDraft: true)) }
    let recorder = try recorder(followsDraft: false)
    try append(5000, to: recorder)
    let report = try TakeRecovery(inputs: [folder], own: Self.peer).run()
    #expect(report.files.map(\.outcome) == [.recovered, .busy])
    #expect(try summary().files.map { $0.suffix(8) } == ["_000.wav"])
    try recorder.finish(t1: recorder.t0 + .seconds(1), isComplete: true).wait()
    #expect(try names().contains("mic-ab12_002.take.json"))
    #expect(try TakeRecovery(inputs: [folder], own: Self.peer).run().files.isEmpty)
  }

  @Test("a late cue that was interrupted at any byte leaves the sound as it was")
  func lateCue() throws {
    let recorder = try recorder()
    try append(4001, to: recorder)
    try recorder.mark(text: "clap", frame: 100)
    try recorder.finish(t1: recorder.t0 + .milliseconds(500), isComplete: true).wait()
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder)
    let path = folder + "/" + (try #require(found.first { $0.hasSuffix(".wav") }))
    let before = Array(try Data(contentsOf: URL(filePath: path)))
    try ClosedFile.add(CuePoint(frame: 7, text: "late"), to: path, limit: 10_000)
    let after = Array(try Data(contentsOf: URL(filePath: path)))
    let end = 16_384 + 4001 * 6
    var half = before
    half.replaceSubrange(
      4..<8, with: (0..<4).map { UInt8(truncatingIfNeeded: (end - 8) >> (8 * $0)) })
    for cut in [end] + Array(stride(from: end + 1, to: after.count, by: 7)) {
      var bytes = half
      if bytes.count < cut { bytes += repeatElement(0, count: cut - bytes.count) }
      bytes.replaceSubrange(end..<cut, with: after[end..<cut])
      try Data(bytes).write(to: URL(filePath: path))
      let report = try TakeRecovery(inputs: [path]).run().files[0]
      #expect(report.frames == 4001 && report.reason == nil, "\(cut): \(report)")
      for name in try names() where name.contains("undo") {
        _ = system("find '\(folder)' -name '\(name)' -delete")
      }
    }
  }
}
