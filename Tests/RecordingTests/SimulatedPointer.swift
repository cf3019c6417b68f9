import Glibc
import Recording
import Units

/// A crystal, and a driver's way of telling how far it is.
struct SimulatedPointer {
  enum Kind: Sendable {
    /// The pointer moves with every frame and is looked at when the program wakes.
    case frames
    /// The pointer moves every 48 frames, up to 300 us after the last of them, and is stamped then.
    case packets
  }

  let rate = SampleRate(hertz: 48_000)
  var partsPerMillion = 0.0
  var kind = Kind.frames
  /// How far the rate swings, over 60 s.
  var wanderPartsPerMillion = 0.0
  /// Host time of count 0, in nanoseconds.
  var start = 7_000_000_000_123.4
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private var spacing: Double { 1e9 / 48_000 / (1 + partsPerMillion * 1e-6) }

  /// When the crystal reaches `count`, in nanoseconds of host time; without wander.
  func time(of count: Double) -> Double { start + count * spacing }

  /// The count that the crystal has reached `second` seconds after the start.
  func count(at second: Double) -> Double {
    let turn = 2 * Double.pi / 60
    let swung = wanderPartsPerMillion * 1e-6 / turn * (1 - cos(turn * second))
    return 48_000 * ((1 + partsPerMillion * 1e-6) * second + swung)
  }

  /// When frame `index` is taken: at count index + 1.
  func time(of index: SampleIndex) -> Double { time(of: Double(index.value + 1)) }

  var started: HostInstant { HostInstant(nanoseconds: Int64(start)) }

  /// Gives `clock` what a program sees that wakes every 10 ms or so, from second to second.
  mutating func observe(_ clock: inout SampleClock, from: Double, to: Double) {
    walk(from: from, to: to) { _, count, stamp in
      clock.observe(
        count: FrameCount(count), at: HostInstant(nanoseconds: Int64(stamp.rounded(.up))))
    }
  }

  /// Calls `body` for each wake-up, every `period` seconds or so, with its second, the count that shows and the stamp of that.
  mutating func walk(
    from: Double, to: Double, every period: Double = 0.010,
    _ body: (_ second: Double, _ count: Int64, _ stamp: Double) -> Void
  ) {
    var wake = from
    while wake < to {
      let late = generator.nextUnit()
      // One in twenty wake-ups comes up to 93 ms late.
      wake += period + (late > 0.95 ? generator.nextUnit() * 0.093 : late * 0.002)
      let (count, stamp) = glance(at: wake)
      body(wake, count, stamp)
    }
  }

  /// Gives `clock` what a program sees that wakes every `period` seconds and then looks until the
  /// pointer moves: `look` nanoseconds from one look to the next.
  mutating func observeEdges(
    _ clock: inout SampleClock, from: Double, to: Double, every period: Double, look: Double
  ) {
    walkEdges(from: from, to: to, every: period, look: look) { count, stamp in
      clock.observe(count: FrameCount(count), at: stamp, isEdge: true)
    }
  }

  /// Calls `body` for each time that the pointer is seen to move; without wander.
  mutating func walkEdges(
    from: Double, to: Double, every period: Double, look: Double,
    _ body: (_ count: Int64, _ stamp: HostInstant) -> Void
  ) {
    let step = kind == .frames ? 1.0 : 48.0
    var wake = from
    while wake < to {
      wake += period + generator.nextUnit() * 0.002
      let count = ((count(at: wake) / step).rounded(.down) + 1) * step
      let late = kind == .frames ? 0 : generator.nextUnit() * 300_000
      let stamp = time(of: count) + late + generator.nextUnit() * look
      body(Int64(count), HostInstant(nanoseconds: Int64(stamp.rounded(.up))))
    }
  }

  /// The next move of the pointer after `second`, as it is seen by looks so many nanoseconds apart.
  mutating func edge(at second: Double, look: Double) -> (count: Int64, stamp: Double) {
    let step = kind == .frames ? 1.0 : 48.0
    let count = ((count(at: second) / step).rounded(.down) + 1) * step
    let late = kind == .frames ? 0 : generator.nextUnit() * 300_000
    return (Int64(count), time(of: count) + late + generator.nextUnit() * look)
  }

  /// What shows `second` seconds after the start.
  mutating func glance(at second: Double) -> (count: Int64, stamp: Double) {
    let now = start + second * 1e9
    let reached = count(at: second)
    switch kind {
    case .frames: return (Int64(reached.rounded(.down)), now + generator.nextUnit() * 800)
    case .packets:
      let packet = (reached / 48).rounded(.down) - 1
      let done = now - (reached - packet * 48) * spacing
      return (Int64(packet) * 48, done + generator.nextUnit() * 300_000)
    }
  }
}
