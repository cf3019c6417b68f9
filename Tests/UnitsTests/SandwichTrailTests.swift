import TestLanes
import Testing
import Units

@Suite("Stamps that are read late", .computing)
struct SandwichTrailTests {
  /// A sandwich at `own` ns of the host's clock, the other clock running `ppm` faster from 0 on.
  static func sandwich(_ own: Int64, ppm: Int64 = 0, step: Int64 = 0) -> Sandwich {
    Sandwich(
      host: HostInstant(nanoseconds: own),
      otherNanoseconds: 7_000_000_000 + own + own * ppm / 1_000_000 + step, widthNanoseconds: 40)
  }

  /// A trail that has seen nothing but a stamp of the present at `own`.
  static func trail(_ own: Int64, ppm: Int64 = 0) -> SandwichTrail {
    var trail = SandwichTrail()
    let now = sandwich(own, ppm: ppm)
    _ = trail.host(ofOther: now.otherNanoseconds, now: now)
    return trail
  }

  @Test("under a slew of 500 ppm a stamp of 0.9 s ago is right to a nanosecond")
  func slew() throws {
    var trail = Self.trail(0, ppm: 500)
    let stamp = Self.sandwich(100_000_000, ppm: 500)
    let now = Self.sandwich(1_000_000_000, ppm: 500)
    let found = trail.host(ofOther: stamp.otherNanoseconds, now: now)
    let host = try #require(found)
    #expect(abs(host.nanoseconds - 100_000_000) <= 1)
    // The next of the same turn too, although its own sandwich is the newest.
    let later = Self.sandwich(1_000_020_000, ppm: 500)
    let again = trail.host(ofOther: stamp.otherNanoseconds, now: later)
    let other = try #require(again)
    #expect(abs(other.nanoseconds - 100_000_000) <= 1)
  }

  @Test("alone, a stamp of up to a millisecond is converted, an older one is not")
  func alone() {
    let now = Self.sandwich(1_000_000_000)
    var trail = SandwichTrail()
    let old = trail.host(ofOther: now.otherNanoseconds - 1_000_000, now: now)
    #expect(old == nil)
    trail = SandwichTrail()
    let young = trail.host(ofOther: now.otherNanoseconds - 999_999, now: now)
    #expect(young?.nanoseconds == 999_000_001)
  }

  @Test("stamps of the future, or of a second ago, are none")
  func ages() {
    let now = Self.sandwich(2_000_000_000)
    let ages: [(Int64, Bool)] = [
      (-1_000, false), (-999, true), (999_999_999, true), (1_000_000_000, false),
    ]
    for (age, isFound) in ages {
      var trail = Self.trail(0)
      let host = trail.host(ofOther: now.otherNanoseconds - age, now: now)
      #expect((host != nil) == isFound, "\(age) ns ago")
    }
  }

  @Test("across a step nothing is converted; after it all is as before", arguments: [-1, 1])
  func step(sign: Int64) {
    var trail = Self.trail(0)
    let stamp = Self.sandwich(9_900_000)
    // 11.1 us within 10 ms is more than slewing and a microsecond.
    let now = Self.sandwich(10_000_000, step: sign * 11_100)
    let across = trail.host(ofOther: stamp.otherNanoseconds, now: now)
    #expect(across == nil)
    let next = Self.sandwich(30_000_000, step: sign * 11_100)
    let found = trail.host(ofOther: next.otherNanoseconds - 50_000, now: next)
    #expect(found?.nanoseconds == 29_950_000)
  }

  @Test("eight sandwiches are kept: a stamp from before them is alone")
  func limit() {
    for (count, isFound) in [(8, true), (9, false)] {
      var trail = SandwichTrail()
      for turn in 0..<Int64(count) {
        let now = Self.sandwich(turn * 10_000_000)
        _ = trail.host(ofOther: now.otherNanoseconds, now: now)
      }
      let stamp = Self.sandwich(5_000_000).otherNanoseconds
      let now = Self.sandwich(Int64(count) * 10_000_000 - 1)
      let host = trail.host(ofOther: stamp, now: now)
      #expect((host != nil) == isFound, "after \(count)")
    }
  }
}
