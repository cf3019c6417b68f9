import Alignment
import FoundationEssentials
import Recording
import TestFolders
import TestLanes
import Testing
import Units

@testable import TakeAlignment

@Suite("Refitting a take whose coordinator changed", .computing)
struct TakeRefitTests {
  private static let t0 = SharedInstant.sessionStart + .seconds(100)
  private static let ids = (1...3).map { PeerID(high: 0, low: UInt64($0)) }
  /// When the first coordinator dies and the second takes over, in seconds of the take.
  private static let change = 60

  /// Each host's clock at a second of shared time: hours apart and tens of ppm off.
  private static func host(_ number: Int, _ second: Double) -> Int64 {
    let (start, ppm) = [(3.0e12, 0.0), (5.1e12, 24.0), (9.7e12, -31.0)][number]
    return Int64(start + second * 1e9 * (1 + ppm * 1e-6))
  }

  /// The log of host `number`, whose live readings of shared time wander by microseconds.
  private static func log(_ number: Int, seconds: Int, hasExchanges: Bool) throws -> TimingLogFile {
    var generator = SeededGenerator(seed: UInt64(number))
    var entries: [TimingLogEntry] = [
      .header(
        TimingLogHeader(
          version: 1, software: "test", take: TakeID(high: 1, low: 2), takeName: "take",
          session: TimingLogSession(
            Session(
              id: SessionID(high: 3, low: 4), anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0,
              utcOffsetSeconds: 0)),
          peer: ids[number], label: "host", bootID: "boot", file: "x.wav", sampleRateHertz: 48_000,
          channels: 1, bits: 24, t0: t0, firstShared: t0, timeReference: 0, frameRate: "25/1"))
    ]
    for second in 0..<seconds {
      let follows = hasExchanges && (number == 2 || (number == 1 && second < change))
      let wander = follows ? 20_000 * (generator.nextUnit() - 0.5) + 15_000 : 0
      let shared = Int64(second) * 1_000_000_000 + Int64(wander)
      entries.append(
        .clock(
          TimingLogClock(
            frame: Int64(second) * 48_000,
            host: HostInstant(nanoseconds: host(number, Double(second))),
            shared: t0 + .nanoseconds(shared), jitterBoundNanoseconds: 50_000,
            pathLimitNanoseconds: 80_000, cardBoundNanoseconds: 100, cardPPM: 0, skewPPM: 0,
            generation: 1)))
      guard follows else { continue }
      let coordinator = second < change ? 0 : 1
      for probe in 0..<8 {
        let there = 40_000 * generator.nextUnit() * generator.nextUnit() * 1e-9 + 30e-6
        let back = 40_000 * generator.nextUnit() * generator.nextUnit() * 1e-9 + 30e-6
        let sent = Double(second) + Double(probe) / 8
        entries.append(
          .exchange(
            TimingLogExchange(
              t1: HostInstant(nanoseconds: host(number, sent)),
              t2: HostInstant(nanoseconds: host(coordinator, sent + there)),
              t3: HostInstant(nanoseconds: host(coordinator, sent + there)),
              t4: HostInstant(nanoseconds: host(number, sent + there + back)),
              receiveKind: "kernel", transmitKind: "kernel", coordinator: ids[coordinator])))
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let lines = try entries.flatMap { Array(try encoder.encode($0)) + [UInt8(ascii: "\n")] }
    let folder = TestFolder()
    return try TimingLogFile(path: folder.write(lines, to: "x.timing.jsonl"))
  }

  @Test("each coordinator tells the stretch in which it was the measure")
  func several() throws {
    let logs = try (0..<3).map { number in
      // The first host's log ends with it.
      try Self.log(number, seconds: number == 0 ? 60 : 120, hasExchanges: true)
    }
    let refit = TakeRefit(logs)
    #expect(refit.observations(of: 0) == nil)
    for number in [1, 2] {
      let observations = try #require(refit.observations(of: number))
      let errors = observations.map { observation in
        let second = observation.frame / 48_000
        return observation.shared.nanoseconds - Self.t0.nanoseconds - second * 1_000_000_000
      }
      let worst = errors.map(\.magnitude).max() ?? 0
      // Live readings were up to 25 us off, and 15 us on average.
      #expect(worst < 4000, "host \(number): \(worst) ns")
    }
  }
}
