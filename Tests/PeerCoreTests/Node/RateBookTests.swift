import PeerCore
import Simulation
import TestLanes
import Testing
import Units

@Suite("The rates of other hosts' clocks", .computing)
struct RateBookTests {
  private func peer(_ number: Int) -> PeerID { PeerID(high: UInt64(number), low: 0) }

  @Test("64 are kept, the latest; and none that no oscillator has")
  func limits() {
    var book = RateBook()
    for number in 0...RateBook.mostRates {
      book.note(ClockRate(partsPerMillion: Double(number)), of: peer(number))
    }
    #expect(book.entries.count == RateBook.mostRates)
    #expect(book.rate(of: peer(0)) == nil)
    #expect(book.rate(of: peer(1)) == ClockRate(partsPerMillion: 1))
    book.note(ClockRate(partsPerMillion: 500), of: peer(2))
    book.note(ClockRate(fraction: .nan), of: peer(2))
    #expect(book.rate(of: peer(2)) == ClockRate(partsPerMillion: 2))
    #expect(RateBook(book.entries + book.entries) == book)
  }

  @Test("a host that starts again knows the coordinator's rate from its first exchange on")
  func prior() throws {
    let world = World(seed: 321)
    let fleet = Fleet(in: world, hosts: 2, network: .wireless)
    world.run(until: .seconds(190))
    let truth =
      (1 + fleet.hosts[0].oscillator.rate.fraction) / (1 + fleet.hosts[1].oscillator.rate.fraction)
      - 1
    let rates = try #require(fleet.hosts[1].kept?.rates)
    let kept = try #require(rates.rate(of: fleet.hosts[0].peer))
    #expect(abs(kept.fraction - truth) < 1e-6)
    fleet.hosts[1].stop(crash: true)
    world.run(until: .seconds(195))
    fleet.hosts[1].start(remembering: true)
    world.run(until: .milliseconds(196_500))
    let skew = try #require(fleet.hosts[1].node?.syncStatus(at: fleet.hosts[1].clock).skew)
    // A second of a radio says nothing about the rate: unknown, it would be off by tens of ppm.
    #expect(abs(skew.fraction - truth) < 3e-6)
  }
}
