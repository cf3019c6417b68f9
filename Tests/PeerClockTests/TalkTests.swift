import HostClock
import PeerClock
import PeerClockTestSupport
import Synchronization
import TestLanes
import Testing
import Units

@Suite("Talk between clocks", .live)
struct TalkTests {
  @Test("a command reaches every other host once, even where every fifth datagram is lost")
  func once() async throws {
    let group = MockGroup(3, conditions: .init(loss: 0.2))
    defer { group.stop() }
    let received = group.clocks.map { Collector($0.commands) }
    try await group.start()
    for number in 0..<50 {
      try await group.clocks[0].broadcast(Command(type: "count", payload: "\(number)"))
    }
    try await eventually("all commands") {
      received[1].elements.count >= 50 && received[2].elements.count >= 50
    }
    // What came twice would come right behind.
    try await Task.sleep(for: .milliseconds(50))
    let wanted = (0..<50).map { Array("\($0)".utf8) }
    #expect(received[0].elements.isEmpty)
    for receiver in received.dropFirst() {
      #expect(receiver.elements.map(\.1.payload) == wanted)
      #expect(receiver.elements.allSatisfy { $0.0 == group.clocks[0].localPeer })
    }
  }

  @Test("a command to one host reaches that one alone; to a stranger it is refused")
  func toOne() async throws {
    let group = MockGroup(3)
    defer { group.stop() }
    let received = group.clocks.map { Collector($0.commands) }
    try await group.start()
    let target = try #require(group.clocks[2].localPeer)
    try await group.clocks[0].send(Command(type: "only.you"), to: target)
    try await eventually("the command") { received[2].elements.count == 1 }
    #expect(received[1].elements.isEmpty)
    let stranger = PeerID(high: 1, low: 2)
    await #expect(throws: PeerClockError.noSuchPeer(id: stranger.description)) {
      try await group.clocks[0].send(Command(type: "hello"), to: stranger)
    }
  }

  @Test("a type or payload at its limit travels, one beyond is refused")
  func limits() async throws {
    let group = MockGroup(2)
    defer { group.stop() }
    let received = Collector(group.clocks[1].commands)
    try await group.start()
    let longest = Command(
      type: String(repeating: "t", count: 64), payload: Array(repeating: 1, count: 60 * 1024))
    try await group.clocks[0].broadcast(longest)
    try await eventually("the longest") { received.elements.map(\.1) == [longest] }
    for bad in [
      Command(type: longest.type + "t"), Command(type: ""),
      Command(type: "t", payload: longest.payload + [1]),
    ] {
      do {
        try await group.clocks[0].broadcast(bad)
        Issue.record("it was taken")
      } catch {
        guard case .refused(let reason) = error else { throw error }
        #expect(!reason.isEmpty)
      }
    }
  }

  @Test("status reaches the others, those that come later too, and can be taken back")
  func status() async throws {
    let group = MockGroup(3)
    defer { group.stop() }
    let clocks = group.clocks
    let updates = Collector(clocks[1].statusUpdates)
    try await startAll(Array(clocks.prefix(2)))
    try await meet(Array(clocks.prefix(2)))
    let sender = try #require(clocks[0].localPeer)
    #expect(await clocks[0].setStatus("armed", forKey: "state"))
    #expect(await clocks[0].setStatus([1, 2, 3], forKey: "levels"))
    try await eventually("both entries") {
      updates.elements.last?.entries == ["state": Array("armed".utf8), "levels": [1, 2, 3]]
    }
    #expect(updates.elements.last?.peer == sender)
    try await clocks[2].start()
    try await eventually("the late host's view") {
      await clocks[2].status(of: sender).text(forKey: "state") == "armed"
    }
    await clocks[0].removeStatus(forKey: "levels")
    try await eventually("the removal") {
      updates.elements.last?.entries == ["state": Array("armed".utf8)]
    }
    #expect(await !clocks[0].setStatus([], forKey: ""))
    #expect(await !clocks[0].setStatus([], forKey: String(repeating: "k", count: 65)))
    #expect(await !clocks[0].setStatus(Array(repeating: 0, count: 16 * 1024 + 1), forKey: "k"))
  }

  @Test("a cut is noticed and healed, and each event tells when")
  func cut() async throws {
    let group = MockGroup(2)
    defer { group.stop() }
    let events = Collector(group.clocks[0].connectionEvents)
    let (one, other) = (group.clocks[0], group.clocks[1])
    try await group.start()
    let peer = try #require(other.localPeer)
    #expect(events.elements.map(\.state) == [.connected])

    let cut = HostClock().now()
    group.network.cut(try #require(one.localPeer), peer)
    try await eventually("the loss", within: .seconds(15)) {
      events.elements.last?.state == .disconnected
    }
    #expect(events.elements.map(\.state) == [.connected, .degraded, .disconnected])
    #expect(events.elements.allSatisfy { $0.peer == peer })
    let degraded = events.elements[1].instant - cut
    let lost = events.elements[2].instant - cut
    #expect(degraded > .milliseconds(500) && degraded < .seconds(4), "\(degraded)")
    #expect(lost > degraded && lost < .seconds(12), "\(lost)")

    group.network.heal()
    try await eventually("the return") { events.elements.last?.state == .connected }
    try await meet(group.clocks)
    #expect(try spreadNanoseconds(group.clocks) < 5_000)
  }
}
