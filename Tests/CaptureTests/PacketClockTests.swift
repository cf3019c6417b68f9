import Recording
import TestLanes
import Testing
import Units

@testable import CaptureEngine

/// A card that moves by packets as the capture thread sees it: when it looks is decided by
/// ``PointerSteps``, and where the frames lie by ``SampleClock``; all in virtual time.
@Suite("The clock of a card of packets", .computing)
struct PacketClockTests {
  /// Packets of 48 frames that show up to 300 us late.
  private struct Card {
    let partsPerMillion: Double
    /// How far its rate swings, over 60 s.
    var wander = 0.0
    let seed: UInt64
    let start: Int64 = 7_000_000_000_123

    /// When the crystal reaches `count`, in nanoseconds.
    func time(of count: Double) -> Double {
      let nominal = count / 48_000
      var second = nominal
      for _ in 0..<3 { second = nominal / (1 + partsPerMillion * 1e-6) - swung(at: second) }
      return Double(start) + second * 1e9
    }

    private func swung(at second: Double) -> Double {
      let turn = 2 * Double.pi / 60
      return wander * 1e-6 / turn * (1 - cosine(turn * second))
    }

    private func cosine(_ angle: Double) -> Double {
      // Of a turn's rest by its series: no library is needed for eight places.
      let turn = 2 * Double.pi
      let rest = angle - (angle / turn).rounded() * turn
      var (term, sum) = (1.0, 1.0)
      for step in 1...14 {
        term *= -rest * rest / Double((2 * step - 1) * 2 * step)
        sum += term
      }
      return sum
    }

    private func lateness(of packet: Int64) -> Double {
      var generator = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ UInt64(packet))
      return generator.nextUnit() * 300_000
    }

    /// The count that shows at `now`.
    func shown(at now: Int64) -> Int64 {
      let reached = Double(now - start) * 1e-9 * 48_000 * (1 + partsPerMillion * 1e-6)
      var packet = Int64(reached / 48) + 1
      while time(of: Double(packet * 48)) + lateness(of: packet) > Double(now) { packet -= 1 }
      return packet * 48
    }
  }

  /// What the thread's turns make of it.
  private struct Run {
    var now: Int64
    var steps = PointerSteps()
    var clock = SampleClock(
      rate: SampleRate(hertz: 48_000), started: HostInstant(nanoseconds: 7_000_000_000_123))
    var generator: SeededGenerator
    var looks = 0

    /// A look takes 1.6 us.
    mutating func look(at card: Card) -> (count: Int64, at: Int64) {
      now += 800
      defer { now += 800 }
      looks += 1
      return (card.shown(at: now), now)
    }

    mutating func rest(microseconds: Int64, upTo late: Double) {
      now += microseconds * 1000 + Int64(generator.nextUnit() * late * 1000)
    }

    /// As ``CaptureLoop/seekEdge()`` does it.
    mutating func turn(_ card: Card, line: StreamLine) {
      var before = look(at: card)
      let wait = steps.wait(at: before.count, now: now, line: line)
      if wait >= 1000 {
        rest(microseconds: wait / 1000, upTo: 15)
        let after = look(at: card)
        steps.waited(tooLong: after.count != before.count)
        before = after
      }
      var naps = 0
      for _ in 0..<steps.mostLooks {
        let next = look(at: card)
        if next.count != before.count {
          let isSeen = steps.moved(
            by: next.count - before.count, of: line.nanosecondsPerFrame, within: next.at - before.at
          )
          let host = HostInstant(nanoseconds: next.at)
          if isSeen { clock.observe(count: FrameCount(next.count), at: host, isEdge: true) }
          return
        }
        before = next
        let nap = steps.nap(at: next.count, now: now, line: line)
        guard nap > 0 else { continue }
        naps += 1
        if naps > PointerSteps.mostNaps { break }
        rest(microseconds: Int64(nap), upTo: 15)
      }
      steps.missed()
    }
  }

  private struct Outcome {
    var mean = 0.0
    var deviation = 0.0
    var partsPerMillion = 0.0
    var broken = 0
    var looksPerSecond = 0.0
  }

  /// A minute: what each whole second from the fourth on says of the newest frame.
  private func minute(_ card: Card) -> Outcome {
    var run = Run(now: card.start, generator: SeededGenerator(seed: card.seed))
    var line = StreamLine(
      count: 0, hostNanoseconds: 0, nanosecondsPerFrame: 1e9 / 48_000, boundNanoseconds: 0,
      rateBound: 100e-6)
    var errors: [Double] = []
    var outcome = Outcome()
    var second = 0
    while second < 60 {
      let age = run.now - card.start
      run.rest(microseconds: age < 4_000_000_000 ? 25_000 : 30_000, upTo: 300)
      run.turn(card, line: line)
      line = run.clock.streamLine ?? line
      guard (run.now - card.start) / 1_000_000_000 > second else { continue }
      second += 1
      let index = SampleIndex(Int64(second) * 48_000)
      guard second > 3, let host = run.clock.host(of: index) else { continue }
      let error = Double(host.nanoseconds) - card.time(of: Double(index.value + 1))
      errors.append(error)
      if abs(error) > Double(run.clock.boundNanoseconds(at: index) ?? 0) { outcome.broken += 1 }
    }
    outcome.mean = errors.reduce(0, +) / Double(errors.count)
    let squares = errors.map { ($0 - outcome.mean) * ($0 - outcome.mean) }.reduce(0, +)
    outcome.deviation = (squares / Double(errors.count - 1)).squareRoot()
    outcome.partsPerMillion =
      (run.clock.excess?.partsPerMillion ?? .infinity) - card.partsPerMillion
    outcome.looksPerSecond = Double(run.looks) / 60
    return outcome
  }

  @Test("after a minute the rate is within 0.1 ppm, the deviation 12 us, and the bound unbroken")
  func steady() {
    var rates: [Double] = []
    for seed in UInt64(0)..<20 {
      let found = minute(Card(partsPerMillion: -62.25, seed: seed))
      print("packets, seed \(seed): \(found)")
      rates.append(abs(found.partsPerMillion))
      #expect(found.broken == 0, "seed \(seed)")
      #expect(found.deviation < 12_000 && abs(found.mean) < 40_000, "seed \(seed): \(found)")
      #expect(abs(found.partsPerMillion) < 0.1, "seed \(seed): \(found)")
    }
    print("packets: \(rates.sorted())")
  }

  @Test("a crystal that swings by 0.4 ppm within a minute stays within the bound")
  func wandering() {
    for seed in UInt64(40)..<48 {
      let found = minute(Card(partsPerMillion: 31.5, wander: 0.4, seed: seed))
      print("wandering packets, seed \(seed): \(found)")
      #expect(found.broken == 0, "seed \(seed)")
      #expect(found.deviation < 12_000 && abs(found.mean) < 40_000, "seed \(seed): \(found)")
    }
  }
}
