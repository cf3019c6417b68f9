import TestLanes
import Testing
import Units

@testable import PeerCore

@Suite("Heartbeats that overtake one another", .computing)
struct OvertakenTests {
  @Test("what a peer said before is no news once it has said something later")
  func latest() {
    var peer = KnownPeer(
      incarnation: Incarnation(count: 1, nonce: 1),
      path: PathAddress(interface: 0, address: [10, 0, 0, 1], port: 1),
      rules: PathRules(PathPolicy()), at: HostInstant(nanoseconds: 0))
    let numbers: [UInt64] = [4, 3, 7, 7, 6, 8]
    #expect(numbers.map { peer.isLatestHeartbeat($0) } == [true, false, true, false, false, true])
  }
}
