import Glibc
import TakeAlignment
import TestLanes
import Testing
import Units

@Suite("What align refuses, and what it puts up with", .computing)
struct AlignmentRefusalTests {
  private let hosts = [
    SyntheticTake.Host(label: "a"),
    SyntheticTake.Host(label: "b", offsetNanoseconds: 5000, stretchNanoseconds: 20_000),
  ]

  private func take() throws -> SyntheticTake {
    let take = SyntheticTake()
    for host in hosts { try take.write(host) }
    return take
  }

  private func refusal(_ aligner: TakeAligner) -> AlignmentError? {
    do {
      _ = try aligner.run()
      return nil
    } catch {
      return error
    }
  }

  @Test("outputs are replaced only when that is asked for")
  func replacing() throws {
    let take = try take()
    let report = try TakeAligner(inputs: [take.folder]).run()
    let before = try report.names.map { try take.load(report.files[$0]?.output ?? "") }
    let error = try #require(refusal(TakeAligner(inputs: [take.folder])))
    #expect("\(error)".contains("never replaced unasked"))
    let again = try TakeAligner(inputs: [take.folder], replacesExisting: true).run()
    #expect(again == report)
    #expect(try again.names.map { try take.load(again.files[$0]?.output ?? "") } == before)
    #expect(refusal(TakeAligner(inputs: [take.folder], output: take.folder + "/else")) == nil)
  }

  @Test(
    "a sound file without a timing log goes by its timecode, and says so; without any, not at all")
  func noLog() throws {
    let take = try take()
    unlink(take.logPath(hosts[1]))
    let report = try TakeAligner(inputs: [take.folder], output: take.folder + "/out").run()
    let file = try #require(report.files.values.first { $0.path == take.path(hosts[1]) })
    #expect(file.verdict == .check && file.matched && abs(file.offsetSeconds) < 1e-9)
    #expect(file.warnings.contains { $0.contains("has no timing log") })
    #expect(file.jitterBoundNanoseconds > 40_000_000)
    let foreign = ForeignFile(frameRate: nil, timeReference: 0, samples: [0, 0, 0])
    try take.save(foreign.plain, to: take.path(hosts[1]))
    let without = try TakeAligner(inputs: [take.folder], output: take.folder + "/less").run()
    let lost = try #require(without.files.values.first { $0.path == take.path(hosts[1]) })
    #expect(lost.verdict == .bad && !lost.matched && lost.output.isEmpty)
    #expect(lost.warnings.contains { $0.contains("no timing log beside it and no timecode") })
    #expect(without.files.values.count { $0.matched } == 1)
    // Where no other is left, that is all there is to say; nor can it be the measure.
    let path = take.path(hosts[1])
    let error = try #require(refusal(TakeAligner(inputs: [path])))
    #expect("\(error)".contains("has no timing log beside it and no timecode in it"))
    #expect(refusal(TakeAligner(inputs: [take.folder], reference: path)) == error)
    #expect(access(take.folder + "/aligned", F_OK) != 0)
  }

  @Test("a log cut anywhere is read as far as it goes")
  func cutLog() throws {
    let take = try take()
    let whole = try take.load(take.logPath(hosts[1]))
    let lines = whole.split(separator: UInt8(ascii: "\n"))
    let kept = lines[0].count + lines[1].count + lines[2].count + lines[3].count + 4
    for cut in [kept, kept + 1, kept + 50, whole.count - 2] {
      try take.save(Array(whole[..<cut]), to: take.logPath(hosts[1]))
      let report = try TakeAligner(inputs: [take.folder], replacesExisting: true).run()
      let file = try #require(report.files.values.first { $0.label == "b" })
      #expect(abs(file.ppm - (1 / 1.000_02 - 1) * 1e6) < 0.001, "cut at \(cut)")
      #expect(!file.warnings.isEmpty && file.confidence < 1)
    }
    try take.save(Array(whole[..<20]), to: take.logPath(hosts[1]))
    for rest in [Array(whole[..<20]), []] {
      try take.save(rest, to: take.logPath(hosts[1]))
      let report = try TakeAligner(inputs: [take.folder], replacesExisting: true).run()
      let file = try #require(report.files.values.first { $0.path == take.path(hosts[1]) })
      #expect(file.verdict == .bad && !file.matched)
      #expect(file.warnings.contains { $0.contains("timing log cannot be read") })
    }
  }

  @Test("a log that contradicts the sound is refused, with what contradicts")
  func contradiction() throws {
    let take = try take()
    let log = String(decoding: try take.load(take.logPath(hosts[0])), as: UTF8.self)
    let changes = [
      ("\"channels\":1", "\"channels\":2", "channels"),
      ("\"sample_rate_hz\":48000", "\"sample_rate_hz\":44100", "44100 Hz"),
      ("\"frames\":192000", "\"frames\":191999", "191999 frames"),
    ]
    for (from, to, words) in changes {
      let place = try #require(log.firstRange(of: from))
      try take.save(
        Array((log[..<place.lowerBound] + to + log[place.upperBound...]).utf8),
        to: take.logPath(hosts[0]))
      let error = try #require(refusal(TakeAligner(inputs: [take.path(hosts[0])])))
      #expect("\(error)".contains("contradict each other"))
      #expect("\(error)".contains(words))
      // Among others it is listed with its reason, and they go on.
      let report = try TakeAligner(inputs: [take.folder], replacesExisting: true).run()
      let file = try #require(report.files.values.first { $0.path == take.path(hosts[0]) })
      #expect(file.verdict == .bad && !file.matched && file.map.isEmpty)
      #expect(file.warnings.contains { $0.contains(words) }, "\(file.warnings)")
      #expect(report.files.values.first { $0.label == "b" }?.verdict == .good)
    }
  }

  @Test("what is not there, not sound, or not one take is refused")
  func inputs() throws {
    let take = try take()
    #expect(refusal(TakeAligner(inputs: ["/nowhere"])) == .noSuchInput(path: "/nowhere"))
    mkdir(take.folder + "/empty", 0o755)
    let empty = take.folder + "/empty"
    #expect(refusal(TakeAligner(inputs: [empty])) == .noSoundFiles(folder: empty))
    let junk = empty + "/junk.wav"
    try take.save(Array("no sound".utf8), to: junk)
    #expect("\(try #require(refusal(TakeAligner(inputs: [junk]))))".contains("is no WAV file"))
    let log = String(decoding: try take.load(take.logPath(hosts[0])), as: UTF8.self)
    let place = try #require(log.firstRange(of: take.take.description))
    let other = String(repeating: "f", count: 32)
    try take.save(
      Array((log[..<place.lowerBound] + other + log[place.upperBound...]).utf8),
      to: take.logPath(hosts[0]))
    let error = try #require(refusal(TakeAligner(inputs: [take.folder])))
    #expect("\(error)".contains("different takes"))
  }

  @Test("what an interruption left is aligned when it is named, and said to be so")
  func interrupted() throws {
    let take = try take()
    for host in hosts {
      let whole = try take.load(take.path(host))
      // Cut in the middle of a frame, two seconds in, sizes never written again.
      try take.save(Array(whole[..<(16_384 + 96_000 * 3 + 1)]), to: take.path(host) + ".part")
      let log = try take.load(take.logPath(host)).split(separator: UInt8(ascii: "\n"))
      try take.save(
        Array(log[..<4].joined(separator: [UInt8(ascii: "\n")])), to: take.logPath(host) + ".part")
      unlink(take.path(host))
      unlink(take.logPath(host))
    }
    let error = try #require(refusal(TakeAligner(inputs: [take.folder])))
    #expect("\(error)".contains("are not closed"))
    let parts = hosts.map { take.path($0) + ".part" }
    let report = try TakeAligner(inputs: parts).run()
    #expect((96_000...96_003).contains(report.frames))
    for file in report.files.values {
      #expect(file.output.hasSuffix("_001_aligned.wav"))
      #expect(file.warnings.contains { $0.contains("interrupted") })
    }
  }

  @Test("the take is found from the folder above it")
  func above() throws {
    let take = try take()
    let parent = take.folder + "-above"
    mkdir(parent, 0o755)
    mkdir(parent + "/session", 0o755)
    defer { _ = system("rm -rf '\(parent)'") }
    _ = system("cp -r '\(take.folder)' '\(parent)/session/one'")
    let report = try TakeAligner(inputs: [parent]).run()
    #expect(report.output == parent + "/session/one/aligned")
    _ = system("cp -r '\(take.folder)' '\(parent)/session/two'")
    let error = try #require(refusal(TakeAligner(inputs: [parent])))
    #expect("\(error)".contains("lie 2 takes"))
  }

  @Test("a folder that cannot be written gets a sentence and no files")
  func unwritable() throws {
    let take = try take()
    let error = try #require(
      refusal(TakeAligner(inputs: [take.folder], output: "/proc/nothing")))
    #expect("\(error)".contains("cannot write \"/proc/nothing\""))
  }
}
