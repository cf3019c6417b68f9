import PeerCore
import Units

/// Two oscillators and a path between them: makes exchanges whose truth is known.
struct SimulatedPath {
  /// How the path treats packets.
  struct Shape {
    /// The least delay in each direction, in nanoseconds.
    var floorAhead = 20_000.0
    var floorBack = 20_000.0
    /// The mean of what is added at random, exponentially distributed, in nanoseconds.
    var jitterAhead = 3_000.0
    var jitterBack = 3_000.0
    /// How often, and by how much in the mean, others' packets delay one besides, in nanoseconds.
    var busyShareAhead = 0.0
    var busyShareBack = 0.0
    var busyAhead = 0.0
    var busyBack = 0.0
    /// The share of exchanges that are lost.
    var loss = 0.0
    var kind = StampKind.kernel
    /// What a stamp in user space is late by at each end, in nanoseconds.
    var userDelayOwn = 0.0
    var userDelayOther = 0.0
  }

  var generator: SeededGenerator
  var shape: Shape
  /// The other clock's rate against this one's, in ppm, and a sinusoidal wander of the offset.
  var ppm = 37.0
  var wanderNanoseconds = 0.0
  var wanderPeriod = 120.0
  var offset: Int64 = 7_200_000_000_000
  private var identifier: UInt32 = 0

  init(seed: UInt64, shape: Shape = Shape()) {
    generator = SeededGenerator(seed: seed)
    self.shape = shape
  }

  /// The other clock at `own`, both in nanoseconds: the truth.
  func other(at own: Double) -> Double {
    own * (1 + ppm * 1e-6) + Double(offset)
      + wanderNanoseconds * sine(own * 1e-9 / wanderPeriod)
  }

  /// sin(2πx), by a series good to 1e-9: the standard library has none without a C library.
  private func sine(_ turns: Double) -> Double {
    let angle = (turns - turns.rounded()) * 2 * Double.pi
    var term = angle
    var sum = angle
    for step in 1...12 {
      term *= -angle * angle / Double(2 * step * (2 * step + 1))
      sum += term
    }
    return sum
  }

  private mutating func exponential(_ mean: Double) -> Double {
    // -ln(u) by the generator's own halving: a geometric number of halves and a linear rest.
    var total = 0.0
    while true {
      let unit = generator.nextUnit()
      if unit >= 0.5 { return mean * (total + logarithm(1 / unit)) }
      total += 0.6931471805599453
    }
  }

  /// ln(x) for 1...2.
  private func logarithm(_ x: Double) -> Double {
    let ratio = (x - 1) / (x + 1)
    var power = ratio
    var sum = 0.0
    for step in stride(from: 1, through: 25, by: 2) {
      sum += power / Double(step)
      power *= ratio * ratio
    }
    return 2 * sum
  }

  /// The exchange whose probe leaves at `own` seconds of this host's clock, unless it is lost.
  mutating func exchange(at own: Double) -> SyncExchange? {
    identifier += 1
    let lost = generator.nextUnit() < shape.loss
    let sent = own * 1e9 + shape.userDelayOwn
    var ahead = shape.floorAhead + exponential(shape.jitterAhead)
    if generator.nextUnit() < shape.busyShareAhead { ahead += exponential(shape.busyAhead) }
    let arrived = other(at: sent + ahead)
    let turned = sent + ahead + 30_000
    var back = shape.floorBack + exponential(shape.jitterBack)
    if generator.nextUnit() < shape.busyShareBack { back += exponential(shape.busyBack) }
    guard !lost else { return nil }
    return SyncExchange(
      t1: HostInstant(nanoseconds: Int64((sent - shape.userDelayOwn).rounded())),
      t2: HostInstant(nanoseconds: Int64(arrived.rounded())),
      t3: HostInstant(nanoseconds: Int64((other(at: turned) - shape.userDelayOther).rounded())),
      t4: HostInstant(nanoseconds: Int64((turned + back).rounded())),
      receiveKind: .kernel, transmitKind: shape.kind)
  }

  /// The bound that the estimate claims when this host's clock reads `own` seconds, in nanoseconds.
  func jitterBound(of estimate: OffsetEstimate, at own: Double) -> Double {
    Double(estimate.jitterBoundNanoseconds(at: HostInstant(nanoseconds: Int64(own * 1e9))))
  }

  /// The estimate's error when this host's clock reads `own` seconds, in nanoseconds.
  func error(of estimate: OffsetEstimate, at own: Double) -> Double {
    let instant = HostInstant(nanoseconds: Int64(own * 1e9))
    return Double(estimate.other(at: instant).nanoseconds) - other(at: own * 1e9)
  }
}

/// The instants, in seconds, at which a schedule's probes leave.
func bursts(from start: Double, count: Int, every interval: Double, probes: Int = 8) -> [Double] {
  (0..<count).flatMap { burst in
    (0..<probes).map { start + Double(burst) * interval + Double($0) * 0.1 }
  }
}
