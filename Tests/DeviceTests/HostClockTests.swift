import HostClock
import TestLanes
import Testing
import Units

@Suite("A host's clocks", .live)
struct HostClockTests {
  let clock = HostClock()

  @Test("the host's time never goes back, and a sandwich lies between its readings")
  func sandwich() {
    let before = clock.now()
    let sandwich = clock.sandwich()
    let after = clock.now()
    #expect(before <= sandwich.host && sandwich.host <= after)
    #expect(sandwich.widthNanoseconds >= 0)
    #expect(sandwich.widthNanoseconds < 1_000_000)
  }

  @Test("a sandwich is less than a microsecond wide, as a rule")
  func width() {
    let widths = (0..<101).map { _ in clock.sandwich().widthNanoseconds }.sorted()
    #expect(widths[50] < 1_000, "the median is \(widths[50]) ns")
  }

  @Test("a stamp keeps its distance when it is converted")
  func conversion() {
    let sandwich = Sandwich(
      host: HostInstant(nanoseconds: 1_000), otherNanoseconds: 5_000_000, widthNanoseconds: 40)
    #expect(sandwich.host(ofOther: 5_000_250) == HostInstant(nanoseconds: 1_250))
  }

  @Test("a machine that is busy has not slept")
  func noSleep() {
    let before = clock.suspendedNanoseconds()
    for _ in 0..<2000 { #expect(abs(clock.suspendedNanoseconds() - before) < 1_000_000) }
    #expect(clock.sleptNanoseconds(since: before) == nil)
    #expect(clock.sleptNanoseconds(since: before - 100_000_001_000) != nil)
  }

  @Test("a boot has an id of 36 characters")
  func boot() { #expect(BootID.current()?.count == 36) }
}
