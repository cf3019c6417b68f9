import FoundationEssentials
import Recording
import Sealing
import TakeAlignment
import TestLanes
import Testing
import Units

@Suite("Verifying a take", .computing)
struct TakeVerifierTests {
  private let host = SyntheticTake.Host(label: "a", seconds: 1)

  /// A take with the account that its host would give of it.
  private func certified() throws -> SyntheticTake {
    let take = SyntheticTake(seconds: 1)
    try take.write(host)
    let bytes = try take.load(take.path(host))
    var digest = SHA256()
    digest.update(bytes[...])
    var draft = CertificateDraft()
    for line in try take.load(take.logPath(host)).split(separator: UInt8(ascii: "\n")) {
      draft.take(try JSONDecoder().decode(TimingLogEntry.self, from: Data(line)))
    }
    let name = String(take.path(host).dropFirst(take.folder.count + 1))
    var summary = TakeSummary(
      take: TakePlan(id: take.take, name: "scene", number: 1), t0: take.t0, t1: take.t1,
      files: [name], timingLogs: [], frames: 48_000, gaps: 0, isComplete: true, last: nil)
    var file = TakeSummary.File(name: name, segment: 1, track: nil, firstFrame: 0, frames: 48_000)
    file.bytes = Int64(bytes.count)
    file.sha256 = digest.hexDigest()
    summary.label = "a"
    summary.fileDetails = [file]
    summary.certificate = draft.certificate(t0: take.t0, t1: take.t1)
    try take.save(
      Array(try JSONEncoder().encode(summary)), to: take.folder + "/a-0000.take.json")
    return take
  }

  @Test("a take that is as it was recorded holds")
  func whole() throws {
    let take = try certified()
    let report = try TakeVerifier(folder: take.folder).run()
    #expect(report.holds && report.hosts.map(\.confirmedFiles) == [1])
    #expect(report.hosts.first?.headBoundNanoseconds == 10_000)
  }

  @Test("one byte of sound, or one figure of the log, and it does not hold")
  func changed() throws {
    let take = try certified()
    var bytes = try take.load(take.path(host))
    bytes[30_000] ^= 1
    try take.save(bytes, to: take.path(host))
    #expect(try TakeVerifier(folder: take.folder).run().hosts[0].faults.count == 1)
    bytes[30_000] ^= 1
    try take.save(bytes, to: take.path(host))
    let log = String(decoding: try take.load(take.logPath(host)), as: UTF8.self)
    let place = try #require(log.firstRange(of: "\"jitter_bound_ns\":1500"))
    let forged = log[..<place.lowerBound] + "\"jitter_bound_ns\":150" + log[place.upperBound...]
    try take.save(Array(forged.utf8), to: take.logPath(host))
    let report = try TakeVerifier(folder: take.folder).run()
    #expect(!report.holds && report.hosts[0].faults.contains { $0.contains("bound") })
  }

  @Test("without an account of it there is nothing to verify")
  func nothing() throws {
    let take = SyntheticTake(seconds: 1)
    #expect(throws: AlignmentError.noCertificates(folder: take.folder)) {
      try TakeVerifier(folder: take.folder).run()
    }
  }
}
