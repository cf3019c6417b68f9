import AcousticScene
import CaptureEngine
import Glibc
import HostClock
import Realtime
import Recording
import Synchronization
import TestFolders
import Testing
import Units

/// Burns both cores in bursts, so that everything else comes late.
private final class Hog: Sendable {
  private let shallStop = Atomic<Bool>(false)
  private let threads = Mutex<[RealtimeThread]>([])

  init(seed: UInt64) {
    let made = (0..<2).map { number in
      RealtimeThread(name: "hog") { [self] in
        var generator = SeededGenerator(seed: seed &+ UInt64(number))
        while !shallStop.load(ordering: .relaxed) {
          var work = UInt64(1)
          let burst = Int(2_000_000 + generator.nextUnit() * 40_000_000)
          for step in 0..<burst { work = work &* 6_364_136_223_846_793_005 &+ UInt64(step) }
          // What was worked out must be of some use.
          usleep(UInt32(200_000 + work % 800_000))
        }
      }
    }
    threads.withLock { $0 = made }
  }

  func stop() {
    shallStop.store(true, ordering: .relaxed)
    for thread in threads.withLock({ $0 }) { thread.join() }
  }
}

extension CaptureTests {
  fileprivate static func number(_ name: String) -> Double? {
    getenv(name).flatMap { Double(String(cString: $0)) }
  }

  /// The cards of a soak: as good as they come, like USB, and with a short buffer.
  private var soakCards: [VirtualCard] {
    var cards = [VirtualCard("plain"), VirtualCard("usb"), VirtualCard("short")]
    cards[0].partsPerMillion = 37.5
    cards[0].wanderPartsPerMillion = 0.3
    cards[1].partsPerMillion = -62.25
    cards[1].stepFrames = 48
    cards[1].latenessMicroseconds = 300
    cards[2].partsPerMillion = 12
    cards[2].bufferFrames = 24_000
    return cards
  }

  /// What befalls a card next, in orders with seconds between them.
  private func mishap(
    _ card: VirtualCard, _ generator: inout SeededGenerator
  ) -> [(words: String, pause: Double)] {
    let amount = generator.nextUnit()
    // Some of them amid a reading.
    let amid = generator.nextUnit() < 0.3 ? "!" : ""
    switch Int(generator.nextUnit() * 7) {
    case 0: return [("\(amid)xrun", 0)]
    case 1: return [("stall \(Int(50 + amount * 900))", 0)]
    case 2: return [("\(amid)suspend \(Int(20 + amount * 400))", 0)]
    case 3: return [("\(amid)unplug", 0.3 + amount * 3), ("replug", 0)]
    case 4: return [("\(amid)unplug-xrun", 0.3 + amount * 3), ("replug", 0)]
    case 5: return [("!slow \(Int(50 + amount * 900))", 0)]
    default:
      let frames = (card.stepFrames == 1 ? 2 : 48) + Int(amount * amount * 4000)
      return [("drop \(frames)", 0)]
    }
  }

  @Test(
    "random mishaps and a hog: every gap of the truth is ours, and nothing else is",
    .enabled(if: CaptureTests.number("RECORDER_SOAK_MINUTES") != nil))
  func soak() throws {
    let minutes = Self.number("RECORDER_SOAK_MINUTES") ?? 1
    let seed = UInt64(Self.number("RECORDER_SOAK_SEED") ?? 1)
    let config = TestFolder()
    let cards = soakCards
    VirtualCard.install(cards, in: config)
    let recordists = cards.map { Recordist(pcm: $0.name, workspace: TestFolder()) }
    for (number, recordist) in recordists.enumerated() {
      _ = try recordist.engine.arm(Recordist.plan(number + 1))
    }
    usleep(3_000_000)
    let t0 = recordists.map { $0.now }
    for (place, recordist) in recordists.enumerated() {
      _ = try recordist.engine.start(at: t0[place])
    }
    let hog = Hog(seed: seed)
    let orders = befall(cards, for: minutes * 60, seed: seed, in: config)
    hog.stop()
    // The last of them must be over by T1.
    usleep(5_000_000)
    for recordist in recordists { try recordist.engine.stop(at: recordist.now) }
    for (place, recordist) in recordists.enumerated() {
      #expect(recordist.waitForEnd(seconds: 30), "\(cards[place].name)")
      let entries = try recordist.entries()
      let judge = TruthJudge(card: cards[place], truth: try cards[place].truth(in: config))
      let path = recordist.workspace.path + "/" + (try recordist.file(".wav"))
      let verdict = try judge.judge(path: path, entries: entries)
      #expect(verdict.complaints == [], "\(cards[place].name), seed \(seed)")
      print(
        "soak: \(cards[place].name): \(verdict.frames) frames, \(orders[place]) mishaps, "
          + "\(verdict.gaps) gaps of \(verdict.lost) frames, "
          + "\(verdict.worstMisplacement) frames off at most: \(causes(entries))")
      try recordist.engine.disarm()
    }
  }

  private func causes(_ entries: [TimingLogEntry]) -> String {
    var counts: [String: Int] = [:]
    for case .gap(let gap) in entries { counts[gap.cause, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
  }

  /// Lets mishaps befall the cards; how many there were of each.
  private func befall(
    _ cards: [VirtualCard], for seconds: Double, seed: UInt64, in config: TestFolder
  ) -> [Int] {
    var generator = SeededGenerator(seed: seed)
    // A loss without a word is seen once two seconds of the stream are known.
    var due = cards.map { _ in 4.0 + generator.nextUnit() * 4 }
    var waiting = cards.map { _ in [(words: String, pause: Double)]() }
    var counts = cards.map { _ in 0 }
    let started = HostClock().now()
    var passed = 0.0
    while passed < seconds {
      usleep(50_000)
      // A busy machine naps for longer.
      passed = (HostClock().now() - started).inSeconds
      for place in cards.indices where passed >= due[place] {
        if waiting[place].isEmpty {
          waiting[place] = mishap(cards[place], &generator)
          counts[place] += 1
        }
        let order = waiting[place].removeFirst()
        cards[place].order(order.words, in: config)
        let isOver = waiting[place].isEmpty
        due[place] = passed + (isOver ? 5 + generator.nextUnit() * 6 : order.pause)
      }
    }
    for place in cards.indices where !waiting[place].isEmpty {
      cards[place].order("replug", in: config)
    }
    return counts
  }
}
