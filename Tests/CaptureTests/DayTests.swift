import AcousticScene
import Glibc
import Realtime
import Recording
import TestLanes
import Testing
import Units

@testable import CaptureEngine

/// A take of a day as the engine sees it: what its capture thread tells goes through the queue to
/// the follower (sample clock, watch for losses, ledger of gaps), and the cut at T0 and T1 is made
/// by that, all in virtual time. The card itself, the ring's frames and the disk take no part.
@Suite("A long take in virtual time", .computing)
struct DayTests {
  /// The hours: few, unless told otherwise (`.ci/soak` tells 24).
  private static let told = getenv("RECORDER_DAY_HOURS").flatMap {
    Double(String(cString: $0))
  }

  private let rate = SampleRate(hertz: 48_000)
  private let crystal = CrystalModel(
    origin: TrueInstant(nanoseconds: 7_000_000_000_123), rateHertz: 48_000, partsPerMillion: 41.7,
    wanderPartsPerMillion: 0.4)
  /// Each quarter of an hour so many frames are lost, which the driver counts.
  private let lost: Int64 = 4711

  private var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, 128, file) != nil else { return 0 }
    let line = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    let pages = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  private var map: ClockMap {
    ClockMap(
      session: SessionID(high: 1, low: 2), generation: 1,
      hostAnchor: HostInstant(nanoseconds: crystal.origin.nanoseconds),
      sharedAnchor: SharedInstant(nanoseconds: 86_400_000_000_000),
      skew: ClockRate(partsPerMillion: -12), jitterBoundNanoseconds: 1000,
      pathLimitNanoseconds: 1000, boundGrowth: .zero)
  }

  /// The frame that is taken nearest to `instant`, by the truth, and in parts of one.
  private func count(at instant: SharedInstant) -> Double {
    crystal.count(at: TrueInstant(nanoseconds: map.host(at: instant).nanoseconds))
  }

  /// What the thread tells at `second`: the pointer moved, and was seen to within a microsecond.
  ///
  /// - Returns: one beyond the newest frame.
  private func tell(
    _ stream: CaptureStream, second: Double, _ generator: inout SeededGenerator
  ) -> SampleIndex {
    let now = crystal.origin.advanced(bySeconds: second + generator.nextUnit() * 0.01)
    let count = crystal.count(at: now).rounded(.up)
    let time = crystal.seconds(untilCount: count) * 1e9 + generator.nextUnit() * 1500
    stream.events.push(
      .stamp(
        StreamStamp(
          count: Int64(count), hostNanoseconds: crystal.origin.nanoseconds + Int64(time),
          isStamped: true, isEdge: true)))
    return SampleIndex(Int64(count))
  }

  @Test("from T0 to T1 the frames are those of the crystal, and memory stays as it is")
  func day() throws {
    let hours = Self.told ?? 0.3
    let stream = CaptureStream(ring: FrameRing(capacity: 48_000, bytesPerFrame: 4), rate: rate)
    var follower = StreamFollower(
      stream: stream, rate: rate,
      started: HostInstant(nanoseconds: crystal.origin.nanoseconds))
    var generator = SeededGenerator(seed: 2400)
    let t0 = SharedInstant(nanoseconds: 86_460_000_000_000)
    let t1 = t0 + .seconds(Int64(hours * 3600) - 120)
    var ends: [SampleIndex] = []
    var (early, gaps, others) = (0, Int64(0), 0)
    for tenth in 1..<Int(hours * 36_000) {
      if tenth % 9000 == 4500 {
        stream.events.push(
          .gap(
            StreamGap(
              index: Int64(tenth) * 4800, frames: lost, boundFrames: 0, cause: .notReadInTime)))
      }
      let newest = tell(stream, second: Double(tenth) / 10, &generator)
      for news in follower.follow() {
        if case .lost(let gap, isPiece: false) = news { gaps += gap.frames } else { others += 1 }
      }
      // As the engine does it: as soon as the frame is there.
      let cut = Cut(clock: follower.clock, map: map)
      let instant = ends.isEmpty ? t0 : t1
      if ends.count < 2, cut.isTaken(instant, end: newest), let found = cut.index(nearest: instant)
      {
        ends.append(found)
      }
      if tenth == 6000 { early = residentBytes }
    }
    let grown = residentBytes - early
    try #require(ends.count == 2)
    // Frame n is taken at count n + 1: the nearest one, but for what a crystal that swings by 0.4
    // ppm leaves open of a line.
    for (index, instant) in zip(ends, [t0, t1]) {
      let off = Double(index.value + 1) - count(at: instant)
      #expect(abs(off) <= 0.8, "\(off) frames from the nearest")
    }
    #expect(gaps == Int64((hours * 4).rounded(.down)) * lost && others == 0)
    #expect(follower.ledger.all.count <= GapLedger.mostGaps && stream.repairs.pop() == nil)
    // Other tests run beside this one, unless it was asked for.
    if Self.told != nil { #expect(grown < 4_000_000, "\(grown) bytes") }
    print(
      "day: \(hours) h, \((ends[1] - ends[0]).value) frames, \(gaps) of them lost, \(grown) bytes more "
        + "than after 10 minutes")
  }
}
