import Glibc
import TakeAlignment
import TestLanes
import Testing

@Suite("What a timing log tells of losses and steps", .computing)
struct LogRepairTests {
  private static let plain = SyntheticTake.Host(label: "a", seconds: 12)
  private let take = SyntheticTake(seconds: 12)

  /// A take of a host in order and one that is not; the report on the latter.
  private func aligned(
    _ host: SyntheticTake.Host
  ) throws -> AlignedFile {
    try take.write(Self.plain)
    try take.write(host)
    let report = try TakeAligner(inputs: [take.folder], replacesExisting: true).run()
    return try #require(report.files.values.first { $0.label == "b" })
  }

  /// The largest distance of the aligned file from the scene in `ranges`, frames of the timeline.
  private func worst(_ file: AlignedFile, in ranges: [Range<Int>]) throws -> Double {
    let samples = try TakeAlignerTests.read(file.output)
    return ranges.joined().reduce(0) { worst, frame in
      max(worst, abs(samples[frame] - SyntheticTake.tones(at: Double(frame) * 1e9 / 48_000)))
    }
  }

  @Test(
    "a loss that was found late is put where it was, and the sound behind it where it was taken")
  func late() throws {
    let loss = SyntheticTake.Loss(frame: 4 * 48_000 + 100, count: 777, silence: 7 * 48_000)
    let file = try aligned(
      SyntheticTake.Host(label: "b", stretchNanoseconds: 20_000, seconds: 12, loss: loss))
    #expect(file.repairs?.map(\.frames) == [777, -777])
    #expect(file.repairs?.map(\.frame) == [4 * 48_000 + 100, 7 * 48_000])
    #expect(file.verdict == .check)
    #expect(file.warnings.contains { $0.contains("found late") })
    #expect(abs(file.ppm - (1 / 1.000_02 - 1) * 1e6) < 0.01, "\(file.ppm)")
    // Away from the seams all is the scene; between them too, which is where nothing was before.
    let error = try worst(
      file, in: [2000..<188_000, 196_000..<330_000, 340_000..<570_000])
    #expect(error < 1e-4, "\(error)")
  }

  @Test("frames that are missing unsaid are noticed, told, and stand as silence")
  func unsaid() throws {
    let loss = SyntheticTake.Loss(frame: 5 * 48_000 + 10_000, count: 480)
    let file = try aligned(
      SyntheticTake.Host(label: "b", seconds: 12, extraFrames: -480, loss: loss))
    #expect(file.repairs?.map(\.frames) == [480])
    let place = try #require(file.repairs?.first?.frame)
    #expect((5 * 48_000...6 * 48_000).contains(place), "\(place)")
    #expect(file.warnings.contains { $0.contains("480 frames are missing that the log does not") })
    #expect(abs(file.ppm) < 0.01, "\(file.ppm)")
    let error = try worst(file, in: [2000..<238_000, 292_000..<574_000])
    #expect(error < 1e-4, "\(error)")
    // The map says the same: a second before the end the file lies where it was taken.
    let last = try #require(file.map.last)
    #expect(abs(last[1] - last[0] - 0.01) < 1e-6)
  }

  @Test("a step is named by what stepped: shared time, the host's own clock, or both")
  func named() throws {
    let clock = try aligned(
      SyntheticTake.Host(label: "b", seconds: 12, sharedStep: (8, 3_000_000)))
    #expect(
      clock.warnings.contains {
        $0.contains("shared time steps by 3.000 ms against the host's clock")
      }, "\(clock.warnings)")
    let host = try aligned(
      SyntheticTake.Host(label: "b", seconds: 12, hostStep: (8, 50_000_000)))
    #expect(host.warnings.contains { $0.contains("nothing is moved") })
    #expect(host.repairs == nil && abs(host.ppm) < 0.01)
    let both = try aligned(
      SyntheticTake.Host(
        label: "b", seconds: 12, hostStep: (8, 50_000_000), sharedStep: (8, 20_000_000)))
    #expect(both.warnings.contains { $0.contains("both step against the host's clock") })
    for file in [clock, host, both] { #expect(file.verdict == .check) }
  }
}
