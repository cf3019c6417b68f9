internal import CaptureEngine
internal import Glibc
internal import HostClock
internal import Recording
internal import Units

/// Measures what recording costs: the engine in this process and `arecord` beside it, each on a
/// virtual card of the same kind, at the same time, onto the same disk.
public struct CaptureBench {
  private let cases: [BenchCase]
  private let length: Duration
  private let folder: String
  private let clock = HostClock()

  /// Records each case for `length` into `folder`, which must have room for it for a while.
  public init(cases: [BenchCase] = BenchCase.usual, length: Duration, folder: String) {
    self.cases = cases
    self.length = length
    self.folder = folder
  }

  /// Measures all; `tell` hears what is going on.
  public func run(_ tell: (String) -> Void) throws(BenchError) -> BenchReport {
    var report = BenchReport(cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    for one in cases {
      tell("\(one.channels) channels at \(one.rate.hertz) Hz for \(length.inSeconds) s")
      report.cases.append(try measure(one))
    }
    return report
  }

  private func measure(_ one: BenchCase) throws(BenchError) -> BenchReport.Case {
    try checkRoom(one)
    let stage = try BenchStage(in: folder)
    try stage.install(one, originNanoseconds: clock.now().nanoseconds)
    let map = map()
    let session = session(map)
    let engine = CaptureEngine(
      input: CaptureInput(
        name: "ours", rate: one.rate, channels: nil, preRoll: .seconds(10), leastRoom: .zero),
      output: stage.path + "/ours",
      host: CaptureHost(
        peer: PeerID(high: 1, low: 1), label: "bench", software: "recorder bench", bootID: ""),
      clockMap: { map }, session: { session }, events: { _ in })
    defer { engine.shutDown() }
    do {
      return try measure(one, engine, map, stage)
    } catch let error as CaptureError {
      throw BenchError(description: error.description)
    } catch let error as BenchError {
      throw error
    } catch {
      throw BenchError(description: "\(error)")
    }
  }

  private func measure(
    _ one: BenchCase, _ engine: CaptureEngine, _ map: ClockMap, _ stage: BenchStage
  ) throws -> BenchReport.Case {
    let plan = TakePlan(id: TakeID(high: 1, low: 1), name: "bench", number: 1)
    let armed = try engine.arm(plan)
    // The stream is to be known and the ring's first seconds to be there.
    usleep(3_000_000)
    _ = try engine.start(at: map.shared(at: clock.now()))
    guard wait(seconds: 10, until: { engine.snapshot.recordedFrames > 0 }) else {
      throw BenchError(description: "the take did not begin; \(engine.snapshot.warnings)")
    }
    let other = try ARecord(one, to: stage.path + "/theirs.wav")
    let (before, begun) = (ProcessCost.own(), clock.now())
    let left = length.inSeconds
    usleep(useconds_t(min(left, 4000) * 1e6))
    let (after, ended) = (ProcessCost.own(), clock.now())
    let memory = (ours: ProcessCost.memory(of: nil), theirs: ProcessCost.memory(of: other.pid))
    let seconds = (ended - begun).inSeconds
    let theirs = other.stop()
    try engine.stop(at: map.shared(at: clock.now()))
    guard wait(seconds: 60, until: { engine.snapshot.state == .armed(plan) }) else {
      throw BenchError(description: "the disk does not take what is recorded")
    }
    let snapshot = engine.snapshot
    let bytes = stage.bytes(ofFilesNamed: "theirs")
    let wanted = Double(one.rate.hertz) * seconds
    let got = bytes / Int64(4 * one.channels)
    return BenchReport.Case(
      channels: one.channels, sampleRateHertz: one.rate.hertz, seconds: seconds,
      recorder: BenchReport.Recorder(
        cpuPercent: (after - before) / seconds * 100, memoryBytes: memory.ours,
        frames: snapshot.recordedFrames),
      arecord: BenchReport.Recorder(
        cpuPercent: theirs / seconds * 100, memoryBytes: memory.theirs,
        frames: got),
      cpuRatio: ((after - before) / wanted) / max(theirs / Double(max(1, got)), 1e-12),
      arecordLost: max(0, Int64(wanted) - got - Int64(one.rate.hertz) / 2),
      ringBytes: armed.ringBytes,
      gaps: snapshot.gaps, mostBehindSeconds: snapshot.writers.first?.mostBehindSeconds ?? 0,
      slowestWriteMs: snapshot.writers.first?.slowestWriteMs ?? 0, warnings: snapshot.warnings)
  }

  private func wait(seconds: Double, until condition: () -> Bool) -> Bool {
    for _ in 0..<Int(seconds * 100) {
      if condition() { return true }
      usleep(10_000)
    }
    return condition()
  }

  private func checkRoom(_ one: BenchCase) throws(BenchError) {
    var found = statvfs()
    guard statvfs(folder, &found) == 0 else {
      throw BenchError(description: "there is no folder \(folder); choose another with --folder")
    }
    let free = Int64(clamping: found.f_bavail) * Int64(found.f_frsize)
    let needed = one.bytesPerSecond * Int64(length.inSeconds + 20) + 200_000_000
    guard free >= needed else {
      throw BenchError(
        description: "\(folder) has \(free / 1_000_000) MB free and \(needed / 1_000_000) MB are "
          + "needed; choose another with --folder, or a shorter --seconds")
    }
  }

  /// Shared time as this host's own: nobody else takes part.
  private func map() -> ClockMap {
    ClockMap(
      session: SessionID(high: 1, low: 1), generation: 1, hostAnchor: clock.now(),
      sharedAnchor: SharedInstant(nanoseconds: 90_000_000_000_000),
      skew: ClockRate(partsPerMillion: 0), jitterBoundNanoseconds: 1, pathLimitNanoseconds: 0,
      boundGrowth: .zero)
  }

  private func session(_ map: ClockMap) -> Session {
    Session(
      id: map.session, anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0, utcOffsetSeconds: 0)
  }
}
