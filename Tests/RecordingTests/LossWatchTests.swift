import Recording
import TestLanes
import Testing
import Units

@Suite("Losses without a word", .computing)
struct LossWatchTests {
  private struct Run {
    var losses: [(loss: LossWatch.Loss, at: Double)] = []
  }

  /// What is found of a stream that loses `lost` frames at second `at`.
  private func run(
    _ pointer: inout SimulatedPointer, lost: Int64, at: Double, seconds: Double
  ) -> Run {
    var watch = LossWatch(rate: pointer.rate)
    var run = Run()
    pointer.walk(from: 0, to: seconds) { second, count, stamp in
      let missing = second > at ? lost : 0
      if let loss = watch.observe(
        count: FrameCount(count - missing), at: HostInstant(nanoseconds: Int64(stamp.rounded(.up))))
      {
        run.losses.append((loss, second))
      }
    }
    return run
  }

  private func check(
    _ kind: SimulatedPointer.Kind, lost: Int64, seed: UInt64, wander: Double = 0
  ) throws {
    var pointer = SimulatedPointer(seed: seed)
    pointer.kind = kind
    pointer.partsPerMillion = Double(seed) * 7 - 60
    pointer.wanderPartsPerMillion = wander
    let at = 7.3 + Double(seed) * 0.11
    let run = run(&pointer, lost: lost, at: at, seconds: at + 10)
    #expect(run.losses.count == 1, "seed \(seed), \(lost) frames")
    let (loss, found) = try #require(run.losses.first)
    #expect(abs(loss.frames - lost) <= loss.boundFrames, "seed \(seed): \(loss)")
    #expect(found - at < 4, "seed \(seed)")
    let place = Int64(pointer.count(at: at))
    // The counts, in steps of a packet.
    #expect(loss.from.value <= place + 48 && loss.to.value + lost + 48 >= place, "seed \(seed)")
    #expect(loss.to.value - loss.from.value < 48_000, "seed \(seed)")
  }

  @Test(
    "two frames and more are found with a pointer of single frames", arguments: [2, 3, 48, 4800])
  func frames(lost: Int64) throws {
    for seed in UInt64(0)..<12 { try check(.frames, lost: lost, seed: seed) }
  }

  @Test("a crystal that wanders is no loss, and hides none")
  func wander() throws {
    for seed in UInt64(0)..<6 { try check(.frames, lost: 2, seed: seed, wander: 1) }
  }

  @Test("a packet and more are found with a pointer of packets", arguments: [48, 96, 480])
  func packets(lost: Int64) throws {
    for seed in UInt64(0)..<12 { try check(.packets, lost: lost, seed: seed) }
  }

  @Test(
    "where nothing is lost nothing is found", arguments: [SimulatedPointer.Kind.frames, .packets])
  func nothing(kind: SimulatedPointer.Kind) {
    for seed in UInt64(50)..<56 {
      var pointer = SimulatedPointer(seed: seed)
      pointer.kind = kind
      pointer.wanderPartsPerMillion = 1
      let run = run(&pointer, lost: 0, at: 0, seconds: 120)
      #expect(run.losses.isEmpty, "seed \(seed): \(run.losses)")
    }
  }

  @Test("a card that stands still for a second and catches up has lost nothing")
  func stall() {
    for length in [0.3, 1.0, 2.0, 5.0] {
      var pointer = SimulatedPointer(seed: 77)
      var watch = LossWatch(rate: pointer.rate)
      var losses = 0
      let held = Int64(pointer.count(at: 9))
      pointer.walk(from: 0, to: 25) { second, count, stamp in
        let shown = second > 9 && second < 9 + length ? held : count
        let host = HostInstant(nanoseconds: Int64(stamp))
        if watch.observe(count: FrameCount(shown), at: host) != nil { losses += 1 }
      }
      #expect(losses == 0, "\(length) s")
    }
  }

  @Test("a stream that stops before six quarters are late tells of three that agree")
  func atEnd() throws {
    for (kind, lost) in [(SimulatedPointer.Kind.frames, Int64(2)), (.packets, 480)] {
      for seed in UInt64(0)..<12 {
        for (after, isTold) in [(0.0, false), (0.3, false), (1.2, true)] {
          var pointer = SimulatedPointer(seed: seed)
          pointer.kind = kind
          var watch = LossWatch(rate: pointer.rate)
          var assured = 0.0
          pointer.walk(from: 0, to: 8 + after) { second, count, stamp in
            let missing = second > 8 ? lost : 0
            let found = watch.observe(
              count: FrameCount(count - missing), at: HostInstant(nanoseconds: Int64(stamp)))
            #expect(found == nil, "seed \(seed)")
            if watch.isAssured { assured = second }
          }
          // No line is laid through what may be of another count.
          #expect(assured > 7.4 && assured <= 8.5, "seed \(seed): \(assured)")
          let loss = watch.lossAtEnd()
          #expect((loss != nil) == isTold, "seed \(seed), \(after) s: \(String(describing: loss))")
          guard let loss else { continue }
          #expect(abs(loss.frames - lost) <= loss.boundFrames, "seed \(seed): \(loss)")
        }
      }
    }
  }

  /// What is found where the machine is so busy that looks come late, and few of them see the
  /// pointer move.
  private func busyRun(
    _ kind: SimulatedPointer.Kind, lost: Int64, at: Double, seconds: Double, seed: UInt64
  ) -> Run {
    var pointer = SimulatedPointer(seed: seed)
    pointer.kind = kind
    pointer.partsPerMillion = Double(seed % 20) * 7 - 60
    var watch = LossWatch(rate: pointer.rate)
    var run = Run()
    var second = 0.0
    while second < seconds {
      let isLate = pointer.generator.nextUnit() < 0.5
      second += 0.05 + (isLate ? pointer.generator.nextUnit() * 0.2 : 0)
      let isEdge = pointer.generator.nextUnit() < 0.4
      let glance = pointer.glance(at: second)
      let edge = isEdge ? pointer.edge(at: second, look: kind == .frames ? 5000 : 60_000) : nil
      let (count, stamp) = edge ?? glance
      let loss = watch.observe(
        count: FrameCount(count - (second > at ? lost : 0)),
        at: HostInstant(nanoseconds: Int64(stamp.rounded(.up))), isEdge: isEdge)
      if let loss { run.losses.append((loss, second)) }
    }
    return run
  }

  @Test(
    "a busy machine, which looks seldom, finds a loss within ten seconds, and none where none is",
    arguments: [(SimulatedPointer.Kind.frames, Int64(2)), (.packets, 48), (.packets, 480)])
  func busy(kind: SimulatedPointer.Kind, lost: Int64) throws {
    for seed in UInt64(100)..<140 {
      let at = 14 + Double(seed % 10) * 0.13
      let run = busyRun(kind, lost: lost, at: at, seconds: at + 12, seed: seed)
      #expect(run.losses.count == 1, "seed \(seed), \(lost) frames: \(run.losses)")
      guard let (loss, found) = run.losses.first else { continue }
      #expect(abs(loss.frames - lost) <= loss.boundFrames, "seed \(seed): \(loss)")
      #expect(found - at < 10, "seed \(seed): found after \(found - at) s")
      let quiet = busyRun(kind, lost: 0, at: 0, seconds: 60, seed: seed)
      #expect(quiet.losses.isEmpty, "seed \(seed): \(quiet.losses)")
    }
  }
}
