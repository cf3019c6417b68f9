import PeerCore
import TestLanes
import Testing
import Units

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
}
