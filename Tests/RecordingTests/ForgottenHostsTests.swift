import Recording
import TestLanes
import Testing
import Units

@Suite("Hosts that were forgotten, as every status tells of them", .computing)
struct ForgottenHostsTests {
  private let now: Int64 = 1_800_000_000_000_000_000
  private let second: Int64 = 1_000_000_000

  private func peer(_ number: Int) -> PeerID { PeerID(high: UInt64(number), low: 0) }

  @Test("one that was lost before it was forgotten is; one that was lost again later is not")
  func order() {
    var hosts = ForgottenHosts()
    hosts.add(.init(peer: peer(1), unixNs: now - 10 * second), now: now)
    #expect(hosts.isForgotten(peer(1), lostSince: now - 11 * second))
    #expect(hosts.isForgotten(peer(1), lostSince: now - 10 * second))
    #expect(!hosts.isForgotten(peer(1), lostSince: now - 9 * second))
    #expect(!hosts.isForgotten(peer(2), lostSince: now - 11 * second))
    // Told twice, the later time counts, in whatever order it comes.
    hosts.add(.init(peer: peer(1), unixNs: now - 2 * second), now: now)
    hosts.add(.init(peer: peer(1), unixNs: now - 20 * second), now: now)
    #expect(hosts.entries == [.init(peer: peer(1), unixNs: now - 2 * second)])
  }

  @Test("eight are remembered, the latest; for a day; and none that is still to come")
  func limits() {
    var hosts = ForgottenHosts()
    let day = ForgottenHosts.memoryNanoseconds
    for unix in [now + 1, now - day, .min, .max] {
      hosts.add(.init(peer: peer(99), unixNs: unix), now: now)
    }
    #expect(hosts.entries.isEmpty)
    hosts.add(.init(peer: peer(99), unixNs: now - day + 1), now: now)
    #expect(hosts.entries.count == 1)
    for number in 0...ForgottenHosts.most {
      hosts.add(.init(peer: peer(number), unixNs: now - day / 2 + Int64(number)), now: now)
    }
    #expect(hosts.entries.map(\.peer) == (1...ForgottenHosts.most).map(peer))
    // The oldest go with time.
    hosts.add(.init(peer: peer(50), unixNs: now + day), now: now + day)
    #expect(hosts.entries.map(\.peer) == [peer(50)])
  }
}
