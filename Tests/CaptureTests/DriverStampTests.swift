import ALSA
import TestLanes
import Testing
import Units

@Suite("Stamps of drivers", .computing)
struct DriverStampTests {
  private let started = HostInstant(nanoseconds: 5_000_000_000)
  private let now = HostInstant(nanoseconds: 9_000_000_000)

  private func believed(_ nanoseconds: Int64?) -> Int64? {
    DriverStamp.believed(
      nanoseconds.map { HostInstant(nanoseconds: $0) }, started: started, now: now)?.nanoseconds
  }

  @Test("a stamp of this stream that is not old is believed")
  func good() {
    #expect(believed(9_000_000_000) == 9_000_000_000)
    #expect(believed(8_990_000_000) == 8_990_000_000)
    #expect(believed(8_000_000_001) == 8_000_000_001)
  }

  @Test("a stamp that is missing, stale, foreign or from the future is not")
  func bad() {
    #expect(believed(nil) == nil)
    #expect(believed(0) == nil)
    #expect(believed(8_000_000_000) == nil)
    #expect(believed(9_000_000_001) == nil)
    // CLOCK_REALTIME, by a driver that was not asked for it.
    #expect(believed(1_790_000_000_000_000_000) == nil)
    let young = HostInstant(nanoseconds: 8_900_000_000)
    let stamp = HostInstant(nanoseconds: 8_899_999_999)
    #expect(DriverStamp.believed(stamp, started: young, now: now) == nil)
    #expect(DriverStamp.believed(young, started: young, now: now) == young)
  }
}
