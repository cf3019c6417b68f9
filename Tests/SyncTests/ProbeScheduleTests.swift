import PeerCore
import TestLanes
import Testing
import Units

@Suite("The schedule of probes", .computing)
struct ProbeScheduleTests {
  static let start = HostInstant(nanoseconds: 0)

  /// The instants, in seconds, of all probes until `end` seconds, each answered after
  /// `roundTrip` of its number, or not at all.
  static func probes(
    of schedule: inout ProbeSchedule, until end: Int,
    answered roundTrip: (Int) -> Duration? = { _ in .microseconds(200) }
  ) -> [Double] {
    var sent: [Double] = []
    while schedule.nextProbe < start + .seconds(end) {
      let now = schedule.nextProbe
      sent.append(Double(now.nanoseconds) * 1e-9)
      schedule.sent(at: now, jitter: 1)
      guard let time = roundTrip(sent.count), now + time < schedule.nextProbe else { continue }
      schedule.answered(after: time, at: now + time)
    }
    return sent
  }

  @Test(
    "40 probes in the first second, then three bursts of ten and many of eight, ever further apart"
  )
  func stages() {
    var schedule = ProbeSchedule(at: Self.start)
    let sent = Self.probes(of: &schedule, until: 600)
    #expect(sent.count { $0 < 1 } == 40)
    #expect(sent.count { $0 >= 1 && $0 < 4 } == 30)
    #expect(sent.count { $0 >= 4 && $0 < 8 } == 24)
    let late = sent.filter { $0 >= 421 && $0 < 571 }
    #expect(late.count == 40)
    let starts = zip(late, late.dropFirst()).filter { $1 - $0 > 5 }.map { $1 - $0 }
    #expect(starts.allSatisfy { abs($0 - 29.4) < 0.01 }, "\(starts)")
  }

  @Test(
    "probes go in pairs: together on a quick path, else the second as soon as the first is answered",
    arguments: [(Duration.microseconds(990), 0), (.microseconds(1_000), 0.001)])
  func pairs(roundTrip: Duration, distance: Double) {
    var schedule = ProbeSchedule(interval: .seconds(1), at: Self.start)
    let sent = Self.probes(of: &schedule, until: 33) { _ in roundTrip }.filter { $0 >= 32 }
    let expected = [0, 0.2, 0.4, 0.6].flatMap { [32 + $0, 32 + $0 + distance] }
    #expect(sent.count == expected.count)
    #expect(zip(sent, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(sent)")
  }

  @Test("where programs stamp what comes the second waits for the first one's reply on any path")
  func woken() {
    var schedule = ProbeSchedule(interval: .seconds(1), at: Self.start)
    schedule.learn(receptionBy: .userSpace)
    let roundTrip = Duration.microseconds(60)
    let sent = Self.probes(of: &schedule, until: 33) { _ in roundTrip }.filter { $0 >= 32 }
    let expected = [0, 0.2, 0.4, 0.6].flatMap { [32 + $0, 32 + $0 + 60e-6] }
    #expect(sent.count == expected.count)
    #expect(zip(sent, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(sent)")
  }

  @Test("after slow replies more follow, eight in all; without replies nothing does")
  func slowReplies() {
    var schedule = ProbeSchedule(interval: .seconds(1), at: Self.start)
    // The least is 2 ms, as the beginning showed; 3 ms is not slow yet, 3.1 ms is.
    _ = Self.probes(of: &schedule, until: 31) { _ in .milliseconds(2) }
    let level = Self.probes(of: &schedule, until: 32) { _ in .milliseconds(3) }
    #expect(level.count { $0 < 31.1 } == 2)
    let slow = Self.probes(of: &schedule, until: 33) { _ in .microseconds(3_100) }
    #expect(slow.count == 8)
    #expect((slow.last ?? 33) < 32.1)
    let silent = Self.probes(of: &schedule, until: 34) { _ in nil }
    #expect(silent.count == 5)
  }

  @Test("a slow path gets 16 probes a burst for half a minute, and while its floors are sparse")
  func sparseFloors() {
    var schedule = ProbeSchedule(at: Self.start)
    schedule.setFast(true, at: Self.start)
    _ = Self.probes(of: &schedule, until: 29) { _ in .milliseconds(2) }
    let early = Self.probes(of: &schedule, until: 30) { _ in .milliseconds(4) }
    #expect(early.count == 16)
    _ = Self.probes(of: &schedule, until: 31) { _ in .milliseconds(4) }
    schedule.learn(floorScale: .nanoseconds(5_001))
    _ = Self.probes(of: &schedule, until: 32) { _ in .milliseconds(4) }
    #expect(Self.probes(of: &schedule, until: 33) { _ in .milliseconds(4) }.count == 16)
    schedule.learn(floorScale: .nanoseconds(5_000))
    _ = Self.probes(of: &schedule, until: 34) { _ in .milliseconds(4) }
    #expect(Self.probes(of: &schedule, until: 35) { _ in .milliseconds(4) }.count == 8)
    schedule.restart(at: Self.start + .seconds(35))
    _ = Self.probes(of: &schedule, until: 36) { _ in .milliseconds(2) }
    #expect(Self.probes(of: &schedule, until: 37) { _ in .milliseconds(4) }.count == 16)
  }

  @Test("at a fixed interval a burst has eight probes, however slow and sparse the path")
  func fixedAndSparse() {
    var schedule = ProbeSchedule(interval: .seconds(1), at: Self.start)
    schedule.learn(floorScale: .milliseconds(1))
    _ = Self.probes(of: &schedule, until: 1) { _ in .milliseconds(2) }
    let sent = Self.probes(of: &schedule, until: 61) { _ in .milliseconds(4) }
    #expect(sent.count == 480)
  }

  @Test("on a quick path sparse floors and the beginning change nothing")
  func quickAndSparse() {
    var schedule = ProbeSchedule(interval: .seconds(1), at: Self.start)
    schedule.learn(floorScale: .milliseconds(1))
    #expect(Self.probes(of: &schedule, until: 41).count == 360)
  }

  @Test("a burst that is armed into ends within a second, and the next begins")
  func armedWithinABurst() {
    var schedule = ProbeSchedule(at: Self.start)
    let sent = Self.probes(of: &schedule, until: 500)
    // The last burst's first probe is sent, its others are not.
    let now = schedule.nextProbe
    #expect(now > Self.start + .seconds(500) && sent.count > 100)
    schedule.sent(at: now, jitter: 1)
    schedule.setFast(true, at: now + .milliseconds(1))
    let first = Int(Double(now.nanoseconds) * 1e-9) + 1
    let after = Self.probes(of: &schedule, until: first + 10)
    #expect(abs(after.count - 80) <= 8)
  }

  @Test("when a take is armed a burst comes at once, and then one every second")
  func fast() {
    var schedule = ProbeSchedule(at: Self.start)
    _ = Self.probes(of: &schedule, until: 500)
    let now = Self.start + .seconds(500)
    #expect(schedule.nextProbe > now)
    schedule.setFast(true, at: now)
    #expect(schedule.nextProbe == now)
    let sent = Self.probes(of: &schedule, until: 600)
    #expect(abs(sent.count - 800) <= 8)
    schedule.setFast(false, at: Self.start + .seconds(600))
    let after = Self.probes(of: &schedule, until: 1_200).filter { $0 > 900 }
    #expect(after.count <= 100)
  }

  @Test("a surprise while idle goes back to a burst each second, at once, and slows down again")
  func hastened() {
    var schedule = ProbeSchedule(at: Self.start)
    _ = Self.probes(of: &schedule, until: 500)
    let now = Self.start + .seconds(500)
    #expect(schedule.nextProbe > now)
    schedule.hasten(at: now)
    #expect(schedule.nextProbe == now)
    let sent = Self.probes(of: &schedule, until: 1_000)
    #expect(sent.count { $0 < 505 } == 40)
    #expect(sent.count { $0 >= 900 } <= 32)
    var fixed = ProbeSchedule(interval: .seconds(4), at: Self.start)
    _ = Self.probes(of: &fixed, until: 100)
    let next = fixed.nextProbe
    fixed.hasten(at: Self.start + .seconds(100))
    #expect(fixed.nextProbe == next)
  }

  @Test("a fixed interval holds, idle or rolling", arguments: [1, 4])
  func fixed(seconds: Int) {
    var schedule = ProbeSchedule(interval: .seconds(seconds), at: Self.start)
    _ = Self.probes(of: &schedule, until: 100)
    schedule.setFast(true, at: Self.start + .seconds(100))
    let sent = Self.probes(of: &schedule, until: 300)
    #expect(abs(sent.count - 8 * 200 / seconds) <= 16)
  }

  @Test("a day of two idle hosts: 20 us at worst, and the bound holds in 99 of 100 readings")
  func day() throws {
    var path = SimulatedPath(seed: 99)
    path.wanderNanoseconds = 60_000
    path.wanderPeriod = 3_000
    var schedule = ProbeSchedule(at: Self.start)
    var estimator = SyncEstimator()
    var worst = 0.0
    var held = 0
    var all = 0
    for instant in Self.probes(of: &schedule, until: 86_400) {
      if instant > 300, let estimate = estimator.estimate {
        let error = abs(path.error(of: estimate, at: instant))
        worst = max(worst, error)
        all += 1
        if error <= path.jitterBound(of: estimate, at: instant) { held += 1 }
      }
      if let exchange = path.exchange(at: instant) { estimator.add(exchange) }
    }
    #expect(worst < 20_000)
    #expect(Double(held) >= 0.99 * Double(all), "\(held) of \(all)")
  }
}
