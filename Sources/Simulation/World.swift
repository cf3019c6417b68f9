internal import Units

/// Virtual time, and everything that happens in it, from one seed.
///
/// The world's time is the truth, which no host can read: hosts have oscillators.
public final class World {
  /// From this number the whole course of things follows.
  public let seed: UInt64
  private var generator: SeededGenerator
  private var queue = EventQueue()
  private(set) var nanoseconds: Int64 = 0

  /// Makes a world at time zero.
  public init(seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
  }

  /// True time since the beginning.
  public var now: Duration { .nanoseconds(nanoseconds) }

  /// Has `action` happen at `time`, or next where that has passed.
  public func schedule(at time: Duration, _ action: @escaping () -> Void) {
    schedule(atNanoseconds: time.wholeNanoseconds, action)
  }

  func schedule(atNanoseconds time: Int64, _ action: @escaping () -> Void) {
    queue.add(at: max(time, nanoseconds), .other(action))
  }

  func schedule(atNanoseconds time: Int64, _ arrival: Arrival) {
    queue.add(at: max(time, nanoseconds), .arrival(arrival))
  }

  /// Has `action` happen each `interval` from now on, for ever.
  public func every(_ interval: Duration, _ action: @escaping () -> Void) {
    schedule(at: now + interval) { [unowned self] in
      action()
      every(interval, action)
    }
  }

  /// Lets everything happen that is due until `time`.
  public func run(until time: Duration) {
    let end = time.wholeNanoseconds
    while let next = queue.next, next <= end, let event = queue.takeNext() {
      nanoseconds = event.nanoseconds
      event.happening.happen()
    }
    nanoseconds = max(nanoseconds, end)
  }

  /// Nothing more happens: what was to come is forgotten, and what it held on to with it.
  func end() { queue = EventQueue() }

  /// The next number of the uniform distribution over 0..<1.
  public func random() -> Double { generator.nextUnit() }

  /// The next 64 random bits.
  public func bits() -> UInt64 { generator.next() }

  /// The next number of the exponential distribution with the given mean.
  func exponential(mean: Double) -> Double {
    guard mean > 0 else { return 0 }
    return -mean * naturalLogarithm(1 - random())
  }
}
