import PeerCore
import Sealing
import TestLanes
import Testing
import Units

@testable import PeerClock

/// Connections that came and said nothing, so that they are no links.
@Suite("Half-open connections", .computing)
struct LinkTableTests {
  private let start = HostInstant(nanoseconds: 0)

  private func table() -> LinkTable {
    LinkTable(
      cipher: .clear(tag: 1), me: PeerID(high: 1, low: 1),
      incarnation: Incarnation(count: 1, nonce: 1), generator: SecureGenerator(simulationSeed: 1))
  }

  private func place(_ number: Int) -> PathAddress {
    PathAddress(interface: 2, address: [10, 0, 0, UInt8(number)], port: UInt16(1000 + number))
  }

  @Test("eight from one address stay for 5 s; the ninth takes the place of the first")
  func oneAddress() {
    var table = table()
    for number in 0..<8 {
      table.add(ConnectionID(number: UInt64(number)), wanted: nil, from: place(1), at: start)
    }
    #expect(table.overdue(at: start + .seconds(5)).isEmpty)
    #expect(table.overdue(at: start + .seconds(5.1)).count == 8)
    table.add(ConnectionID(number: 8), wanted: nil, from: place(1), at: start)
    #expect(table.overdue(at: start) == [ConnectionID(number: 0)])
  }

  @Test("64 from as many addresses stay, one more takes the place of the first; dialled ones apart")
  func all() {
    var table = table()
    for number in 0..<64 {
      table.add(ConnectionID(number: UInt64(number)), wanted: nil, from: place(number), at: start)
    }
    table.add(ConnectionID(number: 100), wanted: PeerID(high: 2, low: 2), at: start)
    #expect(table.overdue(at: start).isEmpty)
    table.add(ConnectionID(number: 101), wanted: nil, from: place(200), at: start)
    #expect(table.overdue(at: start) == [ConnectionID(number: 0)])
    _ = table.remove(ConnectionID(number: 0))
    #expect(table.overdue(at: start).isEmpty)
  }
}
