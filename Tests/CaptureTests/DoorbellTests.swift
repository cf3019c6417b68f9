import HostClock
import Realtime
import TestLanes
import Testing
import Units

@Suite("A bell to be woken by", .live)
struct DoorbellTests {
  @Test("who is not rung for rests to the end; a ring ends the rest, also one that came before")
  func rings() {
    let (bell, clock) = (Doorbell(), HostClock())
    let begun = clock.now()
    #expect(!bell.rest(milliseconds: 20))
    #expect(clock.now() - begun >= .milliseconds(19))
    bell.ring()
    bell.ring()
    #expect(bell.rest(milliseconds: 60_000))
    #expect(!bell.rest(milliseconds: 0))
    let thread = RealtimeThread(name: "ringer") { bell.ring() }
    #expect(bell.rest(milliseconds: 60_000))
    thread.join()
    #expect(clock.now() - begun < .seconds(50))
  }
}
