import Recording
import TestLanes
import Testing
import Units

@Suite("Sample clock", .computing)
struct SampleClockTests {
  /// How far the clock places the frame of `second` from the truth, in nanoseconds.
  private func errorNanoseconds(
    _ pointer: SimulatedPointer, _ clock: SampleClock, at second: Double
  ) throws -> Double {
    let index = SampleIndex(Int64(second * 48_000))
    let host = try #require(clock.host(of: index))
    return Double(host.nanoseconds) - pointer.time(of: index)
  }

  private func run(
    _ pointer: inout SimulatedPointer, seconds: Double
  ) -> SampleClock {
    var clock = SampleClock(rate: pointer.rate, started: pointer.started)
    pointer.observe(&clock, from: 0, to: seconds)
    return clock
  }

  private func spread(_ values: [Double]) -> (mean: Double, deviation: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    return (mean, (squares / Double(values.count - 1)).squareRoot())
  }

  @Test("a pointer of single frames after 10 s: 1.5 us of bias, 0.5 us of deviation")
  func singleFrames() throws {
    var errors: [Double] = []
    for seed in UInt64(0)..<60 {
      var pointer = SimulatedPointer(seed: seed)
      pointer.partsPerMillion = -97.3
      let clock = run(&pointer, seconds: 11)
      errors.append(try errorNanoseconds(pointer, clock, at: 11))
    }
    let (mean, deviation) = spread(errors)
    #expect(abs(mean) < 1500, "seeds 0 to 59")
    #expect(deviation < 500, "seeds 0 to 59")
  }

  @Test("a pointer of packets after 10 s: 12 us of deviation, the bias within the bound")
  func packets() throws {
    var errors: [Double] = []
    for seed in UInt64(100)..<160 {
      var pointer = SimulatedPointer(seed: seed)
      pointer.partsPerMillion = 62
      pointer.kind = .packets
      let clock = run(&pointer, seconds: 11)
      let error = try errorNanoseconds(pointer, clock, at: 11)
      let bound = try #require(clock.boundNanoseconds(at: SampleIndex(11 * 48_000)))
      #expect(abs(error) <= Double(bound), "seed \(seed)")
      #expect(bound < 150_000, "seed \(seed)")
      errors.append(error)
    }
    let (mean, deviation) = spread(errors)
    #expect(abs(mean) < 12_000, "seeds 100 to 159")
    #expect(deviation < 12_000, "seeds 100 to 159")
  }

  @Test("edges of a pointer of single frames, ten a second: a tenth of a microsecond")
  func edges() throws {
    var errors: [Double] = []
    for seed in UInt64(0)..<40 {
      var pointer = SimulatedPointer(seed: seed)
      pointer.partsPerMillion = -97.3
      var clock = SampleClock(rate: pointer.rate, started: pointer.started)
      pointer.observeEdges(&clock, from: 0, to: 11, every: 0.1, look: 1500)
      let error = try errorNanoseconds(pointer, clock, at: 11)
      #expect(abs(error) <= Double(try #require(clock.boundNanoseconds(at: SampleIndex(528_000)))))
      errors.append(error)
    }
    let (mean, deviation) = spread(errors)
    #expect(abs(mean) < 300 && deviation < 250, "\(mean) and \(deviation) ns, seeds 0 to 39")
  }

  @Test("edges of packets, forty a second: 12 us of deviation, and each look within the bound")
  func packetEdges() throws {
    var errors: [Double] = []
    for seed in UInt64(0)..<60 {
      var pointer = SimulatedPointer(seed: seed)
      pointer.partsPerMillion = 62
      pointer.kind = .packets
      var clock = SampleClock(rate: pointer.rate, started: pointer.started)
      pointer.observeEdges(&clock, from: 0, to: 11, every: 0.025, look: 30_000)
      let error = try errorNanoseconds(pointer, clock, at: 11)
      let bound = try #require(clock.boundNanoseconds(at: SampleIndex(528_000)))
      #expect(abs(error) <= Double(bound), "seed \(seed)")
      errors.append(error)
    }
    let (mean, deviation) = spread(errors)
    #expect(abs(mean) < 25_000 && deviation < 12_000, "\(mean) and \(deviation) ns")
  }

  @Test("once the pointer was seen to move, looks at it while it stood tell nothing")
  func edgesGoFirst() throws {
    var pointer = SimulatedPointer(seed: 4)
    pointer.kind = .packets
    var alone = SampleClock(rate: pointer.rate, started: pointer.started)
    var mixed = alone
    pointer.walkEdges(from: 0, to: 6, every: 0.02, look: 30_000) { count, stamp in
      alone.observe(count: FrameCount(count), at: stamp, isEdge: true)
      mixed.observe(count: FrameCount(count), at: stamp, isEdge: true)
      mixed.observe(count: FrameCount(count), at: stamp + .microseconds(600))
    }
    #expect(mixed.line?.nanosecondsPerFrame == alone.line?.nanosecondsPerFrame)
    #expect(mixed.line?.boundNanoseconds == alone.line?.boundNanoseconds)
  }

  @Test("the rate after a minute is within 0.1 ppm", arguments: [UInt64(1), 2, 3, 4])
  func rate(seed: UInt64) throws {
    var pointer = SimulatedPointer(seed: seed)
    pointer.partsPerMillion = 37.5
    let clock = run(&pointer, seconds: 60)
    let excess = try #require(clock.excess)
    #expect(abs(excess.partsPerMillion - 37.5) < 0.1, "seed \(seed)")
  }

  @Test(
    "packets for a minute: 12 us of deviation, a tenth of a ppm in the middle, the bound unbroken")
  func packetMinute() throws {
    var rates: [Double] = []
    var deviations: [Double] = []
    var means: [Double] = []
    for seed in UInt64(0)..<20 {
      var pointer = SimulatedPointer(seed: seed)
      pointer.partsPerMillion = -62.25
      pointer.kind = .packets
      var clock = SampleClock(rate: pointer.rate, started: pointer.started)
      var errors: [Double] = []
      for second in 0..<60 {
        let from = Double(second)
        pointer.observeEdges(&clock, from: from, to: from + 1, every: 0.05, look: 60_000)
        guard second >= 4 else { continue }
        let error = try errorNanoseconds(pointer, clock, at: from + 1)
        let index = SampleIndex(Int64(from + 1) * 48_000)
        #expect(
          abs(error) <= Double(try #require(clock.boundNanoseconds(at: index))), "seed \(seed)")
        errors.append(error)
      }
      let (mean, deviation) = spread(errors)
      means.append(mean)
      deviations.append(deviation)
      rates.append(abs(try #require(clock.excess).partsPerMillion + 62.25))
    }
    deviations.sort()
    rates.sort()
    let mean = means.reduce(0, +) / 20
    print("packets for a minute: bias \(mean), deviations \(deviations), ppm \(rates)")
    #expect(deviations[10] < 12_000 && rates[10] < 0.1 && abs(mean) < 40_000)
  }

  @Test("a card that stood still for a while, or a machine that did, leaves the line as it was")
  func stall() throws {
    for seed in UInt64(0)..<12 {
      for (at, length) in [(4.0, 0.9), (5.1, 0.3), (9.0, 0.6)] {
        var pointer = SimulatedPointer(seed: seed)
        pointer.partsPerMillion = 37.5
        pointer.kind = seed % 2 == 0 ? .frames : .packets
        var clock = SampleClock(rate: pointer.rate, started: pointer.started)
        let (start, held) = (pointer.start, Int64(pointer.count(at: at) / 48) * 48)
        pointer.walk(from: 0, to: at + 4) { second, count, stamp in
          let stands = second > at && second < at + length
          clock.observe(
            count: FrameCount(stands ? held : count),
            at: HostInstant(nanoseconds: Int64(stands ? start + second * 1e9 : stamp)))
        }
        let index = SampleIndex(Int64((at + 4) * 48_000))
        let bound = try #require(clock.boundNanoseconds(at: index))
        let error = try errorNanoseconds(pointer, clock, at: at + 4)
        let room: Int64 = pointer.kind == .frames ? 20_000 : 400_000
        #expect(abs(error) <= Double(bound), "seed \(seed), at \(at) s")
        #expect(bound < room, "seed \(seed), at \(at) s: \(bound) ns")
      }
    }
  }

  @Test("three seconds after a start every frame since the start is placed within half a frame")
  func young() throws {
    for seed in UInt64(200)..<220 {
      var pointer = SimulatedPointer(seed: seed)
      pointer.partsPerMillion = 97.25
      let clock = run(&pointer, seconds: 3.3)
      #expect(clock.isSteady, "seed \(seed)")
      for second in [0.0, 1, 2, 3, 3.3] {
        let error = try errorNanoseconds(pointer, clock, at: second)
        #expect(abs(error) < 10_400, "seed \(seed), second \(second)")
      }
    }
  }

  @Test("the bound holds at any age, within the window that was seen")
  func bound() throws {
    var broken = 0
    for seed in UInt64(300)..<400 {
      var pointer = SimulatedPointer(seed: seed)
      pointer.partsPerMillion = Double(seed) - 350
      if seed % 2 == 0 { pointer.kind = .packets }
      let age = 0.3 + Double(seed - 300) * 0.08
      let clock = run(&pointer, seconds: age)
      let index = SampleIndex(Int64(age * 48_000))
      let bound = try #require(clock.boundNanoseconds(at: index))
      if abs(try errorNanoseconds(pointer, clock, at: age)) > Double(bound) { broken += 1 }
    }
    #expect(broken <= 1, "of seeds 300 to 399")
  }

  @Test("count c at a time says that frame c - 1 was taken by then, not frame c")
  func convention() throws {
    let started = HostInstant(nanoseconds: 1_000_000_000)
    var clock = SampleClock(rate: SampleRate(hertz: 1000), started: started)
    // A perfect pointer, seen at the very instants of counts 0, 10, 20...
    for step in Int64(0)..<500 {
      clock.observe(
        count: FrameCount(step * 10), at: started + .milliseconds(step * 10))
    }
    let host = try #require(clock.host(of: SampleIndex(99)))
    #expect(abs((host - (started + .milliseconds(100))).inSeconds) < 1e-6)
    #expect(clock.index(nearest: started + .milliseconds(100)) == SampleIndex(99))
    #expect(clock.index(nearest: started + .microseconds(100_400)) == SampleIndex(99))
    #expect(clock.index(nearest: started + .microseconds(100_600)) == SampleIndex(100))
  }

  @Test("a transient of 15 ms in the first second is left out")
  func transient() throws {
    var pointer = SimulatedPointer(seed: 9)
    var clock = SampleClock(rate: pointer.rate, started: pointer.started)
    var early = pointer
    early.start += 15_000_000
    early.observe(&clock, from: 0, to: 0.9)
    pointer.observe(&clock, from: 0.9, to: 4)
    #expect(abs(try errorNanoseconds(pointer, clock, at: 4)) < 5_000)
  }

  @Test("after a loss of unknown length the place is learnt anew and the rate is kept")
  func anew() throws {
    var pointer = SimulatedPointer(seed: 11)
    pointer.partsPerMillion = -62.25
    var clock = run(&pointer, seconds: 8)
    clock.startAnew()
    // From here on the count is 37 frames more than the crystal's.
    var shifted = pointer
    shifted.start = pointer.time(of: -37.0)
    shifted.observe(&clock, from: 8.1, to: 8.9)
    let excess = try #require(clock.excess)
    #expect(abs(excess.partsPerMillion - -62.25) < 2)
    let error = try errorNanoseconds(shifted, clock, at: 8.9)
    let bound = try #require(clock.boundNanoseconds(at: SampleIndex(427_200)))
    #expect(abs(error) < 5000 && abs(error) < Double(bound))
  }

  @Test("before the first observation nothing is known, and one alone is not believed")
  func nothing() throws {
    var pointer = SimulatedPointer(seed: 5)
    var clock = SampleClock(rate: pointer.rate, started: pointer.started)
    #expect(clock.host(of: SampleIndex(0)) == nil)
    #expect(clock.index(nearest: pointer.started) == nil)
    #expect(clock.excess == nil)
    #expect(!clock.isSteady)
    pointer.observe(&clock, from: 0, to: 0.005)
    #expect(try #require(clock.boundNanoseconds(at: SampleIndex(0))) > 1_000_000)
    #expect(clock.excess == nil)
  }
}
