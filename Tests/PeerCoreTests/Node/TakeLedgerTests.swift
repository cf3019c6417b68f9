import TestLanes
import Testing
import Units

@testable import PeerCore

@Suite("What is known of takes", .computing)
struct TakeLedgerTests {
  static let session = SessionID(high: 1, low: 1)

  /// A ledger that an expectation may ask.
  final class Book {
    private var ledger = TakeLedger()
    var numbers: [UInt32] { ledger.takes.map(\.number) }
    func heard(_ take: TakeState) -> Bool { ledger.heard(take, in: session) }
    func note(_ take: TakeState) -> Bool { ledger.note(take, in: session) }
    func told(in session: SessionID? = session) -> [TakeState] {
      ledger.announcements(in: session)
    }
    func sent() -> [UInt32] { ledger.forHeartbeat(in: session).map(\.number) }
  }

  static func take(
    _ id: UInt64, t0: Int64, t1: Int64? = nil, session: SessionID = session, name: String = "one"
  ) -> TakeState {
    TakeState(
      session: session, id: TakeID(high: 0, low: id), number: UInt32(id), name: name,
      t0: SharedInstant(nanoseconds: t0), t1: t1.map { SharedInstant(nanoseconds: $0) })
  }

  @Test("merged: the earliest beginning, stopped beats rolling, the latest end, in any order")
  func merging() {
    let states = [
      Self.take(1, t0: 30), Self.take(1, t0: 10), Self.take(1, t0: 20, t1: 90),
      Self.take(1, t0: 20, t1: 80, name: "other"),
    ]
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<24 {
      let order = states.shuffled(using: &generator)
      let merged = order.dropFirst().reduce(order[0]) { $0.merged(with: $1) }
      #expect(merged == Self.take(1, t0: 10, t1: 90))
    }
  }

  @Test("announced once, and again when it becomes another")
  func announcing() {
    let book = Book()
    #expect(book.heard(Self.take(1, t0: 10)))
    #expect(book.told(in: nil).isEmpty)
    #expect(book.told() == [Self.take(1, t0: 10)])
    #expect(book.told().isEmpty)
    #expect(!book.heard(Self.take(1, t0: 12)))
    #expect(book.told().isEmpty)
    #expect(book.heard(Self.take(1, t0: 12, t1: 50)))
    #expect(book.told() == [Self.take(1, t0: 10, t1: 50)])
  }

  @Test("what the host's own user said is announced only where others knew it otherwise")
  func noting() {
    let book = Book()
    #expect(book.note(Self.take(1, t0: 10)))
    #expect(book.told().isEmpty)
    #expect(book.heard(Self.take(1, t0: 5)))
    #expect(book.note(Self.take(1, t0: 10, t1: 99)))
    #expect(book.told() == [Self.take(1, t0: 5, t1: 99)])
  }

  @Test("takes of another session wait, and the same id in another session is not believed")
  func sessions() {
    let book = Book()
    let other = SessionID(high: 2, low: 2)
    #expect(book.heard(Self.take(1, t0: 10, session: other)))
    #expect(book.told().isEmpty)
    #expect(!book.heard(Self.take(1, t0: 5)))
    #expect(book.told(in: other) == [Self.take(1, t0: 10, session: other)])
  }

  @Test("sixteen are remembered, stopped ones making room first; a heartbeat carries three")
  func limits() {
    let book = Book()
    for id in 1...15 as ClosedRange<UInt64> { _ = book.heard(Self.take(id, t0: Int64(id))) }
    _ = book.heard(Self.take(16, t0: 16, t1: 17))
    #expect(book.numbers.count == TakeLedger.mostTakes)
    #expect(book.sent().prefix(2) == [14, 15])
    _ = book.heard(Self.take(17, t0: 17))
    #expect(book.numbers == Array(1...15) + [17])
    _ = book.heard(Self.take(18, t0: 18))
    #expect(book.numbers == Array(2...15) + [17, 18])
    #expect(book.sent().prefix(2) == [17, 18])
  }

  @Test("of takes that do not fit all hosts keep the same, in whatever order they hear of them")
  func convergence() {
    let other = SessionID(high: 2, low: 2)
    let takes = (1...20 as ClosedRange<UInt64>).map { id in
      Self.take(
        id, t0: Int64(id), t1: id % 3 == 0 ? nil : 100, session: id > 17 ? other : Self.session)
    }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let book = Book()
      for take in takes.shuffled(using: &generator) { _ = book.heard(take) }
      #expect(book.numbers == Array(2...17))
      #expect(takes.allSatisfy { !book.heard($0) })
    }
  }

  @Test("every take that is known travels in the end, and those of the own session first")
  func everyTakeTravels() {
    let book = Book()
    let other = SessionID(high: 2, low: 2)
    for id in 1...4 as ClosedRange<UInt64> { _ = book.heard(Self.take(id, t0: Int64(id))) }
    for id in 5...8 as ClosedRange<UInt64> {
      _ = book.heard(Self.take(id, t0: Int64(id), session: other))
    }
    #expect(book.sent().prefix(2) == [3, 4])
    #expect(Set((0..<24).flatMap { _ in book.sent() }) == Set(1...8))
  }

  @Test("stopped takes travel in turn")
  func turns() {
    let book = Book()
    for id in 1...5 as ClosedRange<UInt64> {
      _ = book.heard(Self.take(id, t0: Int64(id), t1: Int64(id) + 1))
    }
    let sent = (0..<5).flatMap { _ in book.sent() }
    #expect(sent.sorted() == [1, 2, 3, 4, 5])
  }
}
