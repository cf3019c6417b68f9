import PeerCore
import TestLanes
import Testing
import Units

@Suite("Beacons", .computing)
struct BeaconScheduleTests {
  private func times(_ schedule: inout BeaconSchedule, until end: HostInstant) -> [Int64] {
    var times: [Int64] = []
    while schedule.next <= end {
      let now = schedule.next
      if schedule.takeDue(at: now) { times.append(now.nanoseconds / 1_000_000) }
    }
    return times
  }

  @Test("a burst, ten brisk ones, then now and then")
  func course() {
    var schedule = BeaconSchedule(policy: PeerNodePolicy(), at: HostInstant(nanoseconds: 0))
    let sent = times(&schedule, until: HostInstant(nanoseconds: 20_000_000_000))
    #expect(sent.prefix(5) == [0, 50, 150, 400, 1400])
    #expect(sent.suffix(3) == [14_400, 16_400, 18_400])
  }

  @Test("somebody new has the next one sent soon, but not more often than every 200 ms")
  func hastened() {
    var schedule = BeaconSchedule(policy: PeerNodePolicy(), at: HostInstant(nanoseconds: 0))
    _ = times(&schedule, until: HostInstant(nanoseconds: 20_000_000_000))
    let met = HostInstant(nanoseconds: 20_000_000_000)
    schedule.hasten(at: met)
    #expect(schedule.next == met)
    let isDue = schedule.takeDue(at: met)
    #expect(isDue)
    schedule.hasten(at: met + .milliseconds(10))
    #expect(schedule.next == met + .milliseconds(200))
  }
}
