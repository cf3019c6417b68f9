import ALSA
import AcousticScene
import Glibc
import HostClock
import Realtime
import Recording
import Synchronization
import TestFolders
import Testing
import Units

@testable import CaptureEngine

extension CaptureTests {
  private final class Tray: Sendable {
    let card = Mutex<PCMCapture?>(nil)
  }

  /// How far the sample clock is off after `seconds` of a real run, in nanoseconds, at looks of a
  /// tenth of a second from second 4 on; and whether its bound held.
  private func measure(
    _ card: VirtualCard, seconds: Double, in workspace: TestFolder
  ) throws -> (errors: [Double], broken: Int, ppm: Double?) {
    var opened = try PCMCapture(
      opening: card.name, rate: SampleRate(hertz: 48_000), channels: nil, clock: HostClock())
    try opened.start()
    let started = HostClock().now()
    let ring = FrameRing(capacity: 96_000, bytesPerFrame: opened.bytesPerFrame)
    let stream = CaptureStream(ring: ring, rate: opened.rate)
    let tray = Tray()
    var moving: PCMCapture? = opened
    tray.card.withLock { $0 = moving.take() }
    let thread = RealtimeThread(name: "measured", priority: 50) {
      guard let card = tray.card.withLock({ $0.take() }) else { return }
      CaptureLoop(card: card, stream: stream, clock: HostClock()).run()
    }
    var follower = StreamFollower(stream: stream, rate: SampleRate(hertz: 48_000), started: started)
    let first = try #require(try card.truth(in: workspace).lines.first { $0.kind == "start" })
    var (errors, broken) = ([Double](), 0)
    while (HostClock().now() - started).inSeconds < seconds {
      usleep(100_000)
      _ = follower.follow()
      guard (HostClock().now() - started).inSeconds > 4 else { continue }
      let index = ring.end - FrameCount(1)
      guard let host = follower.clock.host(of: index) else { continue }
      let tick = first.tick + index.value
      let truth =
        Double(card.origin.nanoseconds) + card.crystal.seconds(untilCount: Double(tick)) * 1e9
      let error = Double(host.nanoseconds) - truth
      errors.append(error)
      if abs(error) > Double(follower.clock.boundNanoseconds(at: index) ?? 0) { broken += 1 }
    }
    let ppm = follower.clock.excess?.partsPerMillion
    stream.shallStop.store(true, ordering: .relaxed)
    thread.join()
    return (errors, broken, ppm)
  }

  private static var clockSeconds: Double? {
    getenv("RECORDER_CLOCK_SECONDS").flatMap { Double(String(cString: $0)) }
  }

  private static var clockSeed: UInt64 {
    getenv("RECORDER_CLOCK_SEED").flatMap { UInt64(String(cString: $0)) } ?? 0
  }

  @Test("measured on a card of single frames and on one of packets: the bound holds")
  func measured() throws {
    let workspace = TestFolder()
    var single = VirtualCard("single")
    single.partsPerMillion = 37.5
    var packets = VirtualCard("packets")
    packets.partsPerMillion = -62.25
    packets.stepFrames = 48
    packets.latenessMicroseconds = 300
    packets.seed = Self.clockSeed
    VirtualCard.install([single, packets], in: workspace)
    // Longer by hand: RECORDER_CLOCK_SECONDS=60 RECORDER_CLOCK_SEED=7 swift test --filter measured
    let seconds = Self.clockSeconds ?? 8
    for (card, bias, deviation) in [(single, 1500.0, 500.0), (packets, 40_000, 12_000)] {
      let run = try measure(card, seconds: seconds, in: workspace)
      let mean = run.errors.reduce(0, +) / Double(run.errors.count)
      let squares = run.errors.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
      let spread = (squares / Double(run.errors.count)).squareRoot()
      let ppmError = (run.ppm ?? .infinity) - card.partsPerMillion
      print(
        "\(card.name): bias \(Int(mean)) ns, deviation \(Int(spread)) ns, \(ppmError) ppm off, "
          + "bound broken \(run.broken) of \(run.errors.count)")
      // A busy machine looks late, by as much as it likes: what must hold is the bound. How good the
      // line is by looks that come in time, and by few of them, is judged in virtual time.
      if let seconds = Self.clockSeconds {
        #expect(abs(mean) < 3 * bias && spread < 3 * deviation, "\(card.name), \(seconds) s")
      }
      #expect(run.broken * 50 <= run.errors.count, "\(card.name)")
    }
  }
}
