import PeerCore
import TestLanes
import Testing
import Units

@Suite("Heartbeats", .computing)
struct HeartbeatTests {
  @Test("what is insisted on is said five times within a third of a second, then as ever")
  func insisting() {
    let start = HostInstant(nanoseconds: 0)
    var heartbeat = Heartbeat(at: start)
    _ = heartbeat.advance(to: start)
    heartbeat.insist(4, at: start + .milliseconds(100))
    var beats: [Int64] = []
    while beats.count < 7 {
      let now = heartbeat.nextWakeup
      if heartbeat.advance(to: now) == [.sendHeartbeat] { beats.append(now.nanoseconds / 100_000) }
    }
    #expect(beats == [1000, 1625, 2250, 2875, 3500, 8500, 13_500])
  }
}
