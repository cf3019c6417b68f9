import TestLanes
import Testing
import Units

@Suite("A map from a host's clock to shared time", .computing)
struct ClockMapTests {
  let map = ClockMap(
    session: SessionID(high: 1, low: 2), generation: 3,
    hostAnchor: HostInstant(nanoseconds: 5_000_000_000), sharedAnchor: .sessionStart,
    skew: ClockRate(partsPerMillion: -37.5), jitterBoundNanoseconds: 400,
    pathLimitNanoseconds: 30_000, boundGrowth: ClockRate(partsPerMillion: 0.1))

  @Test("passes through its anchor")
  func anchor() {
    #expect(map.shared(at: map.hostAnchor) == map.sharedAnchor)
    #expect(map.host(at: map.sharedAnchor) == map.hostAnchor)
  }

  @Test("runs at its rate: -37.5 ppm is 37.5 us a second")
  func rate() {
    let later = map.hostAnchor + .seconds(10)
    let expected = map.sharedAnchor + .nanoseconds(10_000_000_000 - 375_000)
    #expect(map.shared(at: later) == expected)
  }

  @Test("comes back to within a nanosecond over a day", arguments: [-86_400, -1, 1, 86_400])
  func roundTrip(seconds: Int64) {
    let instant = map.hostAnchor + .seconds(seconds)
    let back = map.host(at: map.shared(at: instant))
    #expect(abs(back.nanoseconds - instant.nanoseconds) <= 1)
  }

  @Test("widens its jitter bound with the distance, on both sides")
  func bound() {
    #expect(map.jitterBoundNanoseconds(at: map.hostAnchor) == 400)
    #expect(map.jitterBoundNanoseconds(at: map.hostAnchor + .seconds(10)) == 1400)
    #expect(map.jitterBoundNanoseconds(at: map.hostAnchor - .seconds(10)) == 1400)
    #expect(map.boundNanoseconds(at: map.hostAnchor) == 30_400)
  }
}
