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

  @Test("silence is noticed at its time, though wake-ups come early")
  func silence() {
    let start = HostInstant(nanoseconds: 0)
    let (one, two) = (PeerID(high: 1, low: 0), PeerID(high: 2, low: 0))
    var heartbeat = Heartbeat(at: start)
    _ = heartbeat.heard(one, at: start)
    _ = heartbeat.heard(two, at: start)
    _ = heartbeat.heard(two, at: start + .milliseconds(900))
    var reports: [String] = []
    while reports.count < 4 {
      let now = heartbeat.nextWakeup
      for case .report(let peer, let liveness) in heartbeat.advance(to: now) {
        reports.append("\(peer == one ? 1 : 2) \(liveness) \(now.nanoseconds / 1_000_000)")
      }
    }
    #expect(
      reports == [
        "1 degraded 1200", "2 degraded 2100", "1 disconnected 3000", "2 disconnected 3900",
      ])
    #expect(!heartbeat.hasSuspects)
  }

  @Test("who has slept suspects all, until they are heard")
  func suspecting() {
    let start = HostInstant(nanoseconds: 0)
    let (one, two) = (PeerID(high: 1, low: 0), PeerID(high: 2, low: 0))
    var heartbeat = Heartbeat(at: start)
    _ = heartbeat.heard(one, at: start)
    _ = heartbeat.heard(two, at: start)
    let reports = heartbeat.suspectAll()
    #expect(
      reports == [.report(peer: one, liveness: .degraded), .report(peer: two, liveness: .degraded)])
    #expect(heartbeat.suspects == [one, two])
    _ = heartbeat.heard(two, at: start + .milliseconds(1))
    #expect(heartbeat.suspects == [one])
  }
}
