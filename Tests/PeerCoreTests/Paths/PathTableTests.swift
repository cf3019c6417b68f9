import PeerCore
import TestLanes
import Testing
import Units

@Suite("Which path to a peer is used", .computing)
struct PathTableTests {
  let start = HostInstant(nanoseconds: 0)
  let first = PathAddress(interface: 2, address: [10, 0, 0, 1], port: 9)
  let second = PathAddress(interface: 3, address: [10, 1, 0, 1], port: 9)
  let linkLocal = PathAddress(
    interface: 2, address: [0xfe, 0x80] + Array(repeating: 0, count: 13) + [1], port: 9)

  /// Has `paths` be heard each half second from `begin` to `end`, choosing each 100 ms; what
  /// changed, and when.
  private func hear(
    _ paths: [PathAddress], in table: inout PathTable, from begin: Duration, to end: Duration
  ) -> [(Duration, PathTable.Change)] {
    var changes: [(Duration, PathTable.Change)] = []
    var time = begin
    while time < end {
      let now = start + time
      if time.wholeNanoseconds % 500_000_000 == 0 {
        for path in paths { table.heard(on: path, at: now) }
      }
      if let change = table.choose(at: now) { changes.append((time, change)) }
      time += .milliseconds(100)
    }
    return changes
  }

  @Test("of two addresses on one interface the first is used, whichever was quicker lately")
  func sameInterface() {
    var table = PathTable(first, at: start)
    #expect(hear([first, linkLocal], in: &table, from: .zero, to: .seconds(5)).isEmpty)
    for _ in 0..<8 {
      table.answered(on: first, after: .milliseconds(8))
      table.answered(on: linkLocal, after: .milliseconds(2))
    }
    #expect(hear([first, linkLocal], in: &table, from: .seconds(5), to: .seconds(30)).isEmpty)
    #expect(table.used == first)
  }

  @Test("the next path takes over within 2 s of a loss, and the first one is back when it holds")
  func failover() {
    var table = PathTable(first, at: start)
    #expect(hear([first, second], in: &table, from: .zero, to: .seconds(10)).isEmpty)
    let lost = hear([second], in: &table, from: .seconds(10), to: .seconds(20))
    #expect(lost.map(\.1) == [.failed])
    // Heard last at 9.5 s.
    #expect(lost.first?.0 == .seconds(11))
    #expect(table.used == second)
    let back = hear([first, second], in: &table, from: .seconds(20), to: .seconds(30))
    #expect(back.map(\.1) == [.better])
    #expect(back.first?.0 == .seconds(24))
    #expect(table.used == first)
  }

  @Test("a path that comes and goes is not used again")
  func flapping() {
    var table = PathTable(first, at: start)
    _ = hear([first, second], in: &table, from: .zero, to: .seconds(5))
    _ = hear([second], in: &table, from: .seconds(5), to: .seconds(10))
    #expect(table.used == second)
    for round in 0..<5 {
      let begin = Duration.seconds(10 + 6 * round)
      #expect(hear([first, second], in: &table, from: begin, to: begin + .seconds(3)).isEmpty)
      #expect(
        hear([second], in: &table, from: begin + .seconds(3), to: begin + .seconds(6)).isEmpty)
    }
    #expect(table.used == second)
  }

  @Test("while nothing else is heard, or was heard once only, the path stays")
  func silence() {
    var table = PathTable(first, at: start)
    table.heard(on: second, at: start)
    table.heard(on: first, at: start)
    #expect(hear([], in: &table, from: .seconds(1), to: .seconds(60)).isEmpty)
    table.heard(on: second, at: start + .seconds(60))
    #expect(table.choose(at: start + .seconds(60)) == nil)
    table.heard(on: second, at: start + .seconds(60.2))
    #expect(table.choose(at: start + .seconds(60.2)) == .failed)
  }

  @Test("a path whose round trip is far shorter is used, one that is a little shorter is not")
  func better() {
    var table = PathTable(first, at: start)
    _ = hear([first, second], in: &table, from: .zero, to: .seconds(6))
    for _ in 0..<4 { table.answered(on: first, after: .milliseconds(3)) }
    for _ in 0..<3 { table.answered(on: second, after: .microseconds(300)) }
    #expect(table.choose(at: start + .seconds(6)) == nil)
    table.answered(on: second, after: .microseconds(900))
    #expect(table.roundTrip(on: second) == .microseconds(300))
    #expect(table.choose(at: start + .seconds(6)) == .better)
    #expect(table.used == second)
    // Below 200 us of difference nothing is worth a change.
    var quick = PathTable(first, at: start)
    _ = hear([first, second], in: &quick, from: .zero, to: .seconds(6))
    for _ in 0..<4 {
      quick.answered(on: first, after: .microseconds(250))
      quick.answered(on: second, after: .microseconds(60))
    }
    #expect(quick.choose(at: start + .seconds(6)) == nil)
  }

  @Test("of one interface's two addresses IPv4's is preferred, also when it was found later")
  func families() {
    var table = PathTable(linkLocal, at: start)
    let changes = hear([linkLocal, first], in: &table, from: .zero, to: .seconds(10))
    #expect(changes.map(\.1) == [.better])
    #expect(table.used == first)
    #expect(table.others(measuring: .all).isEmpty)
  }

  @Test("another interface's path is measured until it was asked four times, then when all are")
  func measuring() {
    var table = PathTable(first, at: start)
    table.heard(on: second, at: start + .seconds(1))
    #expect(table.others(measuring: .none).isEmpty)
    for _ in 0..<4 {
      #expect(table.others(measuring: .unknown) == [second])
      table.answered(on: second, after: .microseconds(300))
    }
    #expect(table.others(measuring: .unknown).isEmpty)
    #expect(table.others(measuring: .all) == [second])
  }

  @Test("eight paths are remembered; the ninth takes the place of the one not heard for longest")
  func limit() {
    var table = PathTable(first, at: start)
    for number in 0..<7 {
      let path = PathAddress(interface: 9, address: [10, 9, 0, UInt8(number)], port: 9)
      table.heard(on: path, at: start + .seconds(1 + number))
    }
    #expect(table.count == 8)
    table.heard(on: second, at: start + .seconds(20))
    #expect(table.count == 8)
    // The one in use stays, though it is the oldest.
    #expect(table.all.contains(first))
    #expect(!table.all.contains { $0.address == [10, 9, 0, 0] })
    #expect(table.silence(of: second, at: start + .seconds(21)) == .seconds(1))
  }
}
