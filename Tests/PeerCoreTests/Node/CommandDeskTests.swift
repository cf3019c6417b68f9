import TestLanes
import Testing
import Units

@testable import PeerCore

@Suite("The command desk", .computing)
struct CommandDeskTests {
  let run = Incarnation(count: 1, nonce: 1)
  let peer = PeerID(high: 2, low: 2)

  @Test("the limits of type and payload, at the limit and one beyond")
  func limits() throws {
    var desk = CommandDesk(incarnation: run, limit: 4)
    _ = try desk.issue(
      type: String(repeating: "t", count: 64), payload: [UInt8](repeating: 0, count: 61_440),
      expires: nil, to: [peer])
    #expect(throws: PeerNodeError.typeTooLong(bytes: 65)) {
      try desk.issue(
        type: String(repeating: "t", count: 65), payload: [], expires: nil, to: [peer])
    }
    #expect(throws: PeerNodeError.payloadTooLong(bytes: 61_441)) {
      try desk.issue(
        type: "t", payload: [UInt8](repeating: 0, count: 61_441), expires: nil, to: [peer])
    }
    #expect(throws: PeerNodeError.emptyType) {
      try desk.issue(type: "", payload: [], expires: nil, to: [peer])
    }
  }

  @Test("no more wait for a peer than the limit, and none is taken by half")
  func pending() throws {
    var desk = CommandDesk(incarnation: run, limit: 3)
    let other = PeerID(high: 1, low: 1)
    for _ in 0..<3 { _ = try desk.issue(type: "t", payload: [], expires: nil, to: [peer]) }
    #expect(throws: PeerNodeError.tooManyPending(peer, limit: 3)) {
      try desk.issue(type: "t", payload: [], expires: nil, to: [other, peer])
    }
    #expect(desk.pendingCount(for: other) == 0)
    #expect(desk.pendingCount(for: peer) == 3)
  }

  @Test("a new link begins with what the old one left unacknowledged, in order")
  func again() throws {
    var desk = CommandDesk(incarnation: run, limit: 8)
    let before = desk.linkOpened(to: peer)
    #expect(before.isEmpty)
    let first = try desk.issue(type: "a", payload: [], expires: nil, to: [peer])
    let second = try desk.issue(type: "b", payload: [], expires: nil, to: [peer])
    #expect(first.actions.count == 1 && second.actions.count == 1)
    desk.linkClosed(to: peer)
    let third = try desk.issue(type: "c", payload: [], expires: nil, to: [peer])
    #expect(third.actions.isEmpty)
    let taken1 = desk.acknowledged(first.id, by: peer)
    #expect(taken1)
    let taken2 = desk.acknowledged(first.id, by: peer)
    #expect(!taken2)
    let sent = desk.linkOpened(to: peer).compactMap { action -> CommandID? in
      if case .transmit(let command, _) = action { command.id } else { nil }
    }
    #expect(sent == [second.id, third.id])
  }

  @Test("a command has its effect once; another run of the sender begins anew")
  func effect() {
    var desk = CommandDesk(incarnation: run, limit: 8)
    func command(_ incarnation: Incarnation, _ sequence: UInt64) -> CommandMessage {
      CommandMessage(
        id: CommandID(incarnation: incarnation, sequence: sequence), type: "t", payload: [],
        expires: nil)
    }
    let later = Incarnation(count: 2, nonce: 9)
    let taken3 = desk.accepts(command(run, 1), from: peer, incarnation: run)
    #expect(taken3)
    let taken4 = desk.accepts(command(run, 1), from: peer, incarnation: run)
    #expect(!taken4)
    let taken5 = desk.accepts(command(run, 5), from: peer, incarnation: run)
    #expect(taken5)
    let taken6 = desk.accepts(command(run, 4), from: peer, incarnation: run)
    #expect(!taken6)
    let taken7 = desk.accepts(command(run, 6), from: peer, incarnation: later)
    #expect(!taken7)
    let taken8 = desk.accepts(command(later, 1), from: peer, incarnation: later)
    #expect(taken8)
  }

  @Test(
    "two runs of one id in turns, as a copied disk makes them: each command has its effect once")
  func turns() {
    var desk = CommandDesk(incarnation: run, limit: 8)
    let copy = Incarnation(count: 1, nonce: 2)
    func accepts(_ sequence: UInt64, of incarnation: Incarnation) -> Bool {
      let id = CommandID(incarnation: incarnation, sequence: sequence)
      return desk.accepts(
        CommandMessage(id: id, type: "t", payload: [], expires: nil), from: peer,
        incarnation: incarnation)
    }
    let one = accepts(6, of: run)
    _ = desk.forget(peer)
    let other = accepts(1, of: copy)
    _ = desk.forget(peer)
    let again = [accepts(6, of: run), accepts(1, of: copy), accepts(7, of: run)]
    #expect(one && other)
    #expect(again == [false, false, true])
  }

  @Test("so many runs are remembered, and beyond that not the one that was silent for longest")
  func mostRuns() {
    var taken = TakenCommands()
    func run(_ number: Int) -> PeerRun {
      PeerRun(peer: peer, incarnation: Incarnation(count: UInt32(number), nonce: 0))
    }
    for number in 0..<TakenCommands.mostRuns { _ = taken.take(1, of: run(number)) }
    #expect(taken.count == TakenCommands.mostRuns)
    let atLimit = [taken.take(1, of: run(0)), taken.take(2, of: run(0))]
    let beyond = taken.take(1, of: run(TakenCommands.mostRuns))
    #expect(taken.count == TakenCommands.mostRuns)
    let kept = [taken.take(2, of: run(0)), taken.take(1, of: run(2))]
    let forgotten = taken.take(1, of: run(1))
    #expect(atLimit == [false, true])
    #expect(beyond && forgotten)
    #expect(kept == [false, false])
  }
}
