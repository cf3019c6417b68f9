import Glibc
import Recording
import TestLanes
import Testing
import Units

@Suite("A long take in virtual time", .computing)
struct DayTests {
  /// The hours: few, unless told otherwise (`.ci/soak` tells 24).
  private var hours: Double {
    getenv("RECORDER_DAY_HOURS").flatMap { Double(String(cString: $0)) } ?? 1
  }

  private var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, 128, file) != nil else { return 0 }
    let line = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    let pages = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  @Test("from T0 to T1 the frames are those of the crystal, and memory stays as it is")
  func day() throws {
    let seconds = hours * 3600
    var pointer = SimulatedPointer(seed: 2400)
    pointer.partsPerMillion = 41.7
    pointer.wanderPartsPerMillion = 0.4
    var clock = SampleClock(rate: pointer.rate, started: pointer.started)
    var watch = LossWatch(rate: pointer.rate)
    let map = ClockMap(
      session: SessionID(high: 1, low: 2), generation: 1, hostAnchor: pointer.started,
      sharedAnchor: SharedInstant(nanoseconds: 86_400_000_000_000),
      skew: ClockRate(partsPerMillion: -12), jitterBoundNanoseconds: 1000,
      pathLimitNanoseconds: 1000, boundGrowth: .zero)
    let t0 = SharedInstant(nanoseconds: 86_460_000_000_000)
    let t1 = t0 + .seconds(Int64(seconds) - 120)
    var (first, early, losses): (SampleIndex?, Int, Int) = (nil, 0, 0)
    pointer.walk(from: 0, to: seconds, every: 0.02) { second, count, stamp in
      let host = HostInstant(nanoseconds: Int64(stamp.rounded(.up)))
      clock.observe(count: FrameCount(count), at: host)
      if watch.observe(count: FrameCount(count), at: host) != nil { losses += 1 }
      let cut = Cut(clock: clock, map: map)
      if first == nil, second > 70 { first = cut.index(nearest: t0) }
      if early == 0, second > 600 { early = residentBytes }
    }
    let grown = residentBytes - early
    let last = try #require(Cut(clock: clock, map: map).index(nearest: t1))
    let truth = [t0, t1].map { instant in
      pointer.count(at: Double(map.host(at: instant).nanoseconds) * 1e-9 - pointer.start * 1e-9)
    }
    let frames = Double((last - (try #require(first))).value)
    // Half a frame of rounding at either end, and what the line leaves open an hour's way back.
    #expect(abs(frames - (truth[1] - truth[0])) <= 1.5, "\(frames) frames")
    #expect(losses == 0)
    #expect(grown < 8_000_000, "\(grown) bytes")
    print("day: \(hours) h, \(Int(frames)) frames, \(grown) bytes more than after 10 minutes")
  }
}
