import HostClock
import PeerClock
import TestLanes
import Testing
import Units

@Suite("A clock's life", .live)
struct LifeTests {
  @Test("a clock alone is readable soon and coordinates itself")
  func alone() async throws {
    let group = MockGroup(1)
    defer { group.stop() }
    let start = HostClock().now()
    try await group.clocks[0].start()
    let elapsed = HostClock().now() - start
    // 0.7 s of listening; the rest is for a machine that runs all tests at once.
    #expect(elapsed < .milliseconds(2500), "it took \(elapsed)")
    let clock = group.clocks[0]
    #expect(clock.coordinator == clock.localPeer)
    #expect(clock.now >= 86_400_000_000_000)
    #expect(clock.now < 86_410_000_000_000)
    // A second start finds it running.
    try await clock.start()
  }

  @Test("stop twice ends every stream and strands no one who waits")
  func stopTwice() async throws {
    let group = MockGroup(2)
    let clock = group.clocks[0]
    let early = [Collector(clock.peers), Collector(clock.peers)]
    let commands = Collector(clock.commands)
    try await group.start()
    // Whoever iterates in a task of its own is released, too.
    let waiting = Task {
      for await _ in clock.connectionEvents {}
      return true
    }
    clock.stop()
    clock.stop()
    await clock.finish()
    #expect(await waiting.value)
    try await eventually("the streams' end") {
      early.allSatisfy(\.hasEnded) && commands.hasEnded
    }
    // A consumer that comes late finds the end, not a wait.
    for await _ in clock.commands { Issue.record("a command after the stop") }
    await #expect(throws: PeerClockError.stopped) { try await clock.start() }
    await #expect(throws: PeerClockError.stopped) {
      try await clock.broadcast(Command(type: "late"))
    }
    // Time goes on by what was known.
    let now = clock.now
    #expect(now > 86_400_000_000_000)
    #expect(clock.now > now)
    group.stop()
  }

  @Test("stop while it starts ends the start")
  func stopWhileStarting() async throws {
    let group = MockGroup(1)
    let clock = group.clocks[0]
    let start = Task { try await clock.start() }
    await Task.yield()
    clock.stop()
    await #expect(throws: PeerClockError.stopped) { try await start.value }
    await clock.finish()
  }

  @Test("before the start there is nothing to talk to, and no wait")
  func beforeStart() async throws {
    let clock = MockGroup(1).clocks[0]
    await #expect(throws: PeerClockError.notStarted) {
      try await clock.broadcast(Command(type: "early"))
    }
    await #expect(throws: PeerClockError.notStarted) {
      try await clock.schedule(atSyncedTime: 1) {}
    }
    #expect(await clock.diagnostics() == ClockDiagnostics())
    #expect(clock.currentPeers.isEmpty && clock.localPeer == nil)
    clock.stop()
    await #expect(throws: PeerClockError.stopped) { try await clock.start() }
  }

  @Test("several consumers see all; one that comes again sees what came in between")
  func consumers() async throws {
    let group = MockGroup(2)
    defer { group.stop() }
    let (sender, receiver) = (group.clocks[0], group.clocks[1])
    try await group.start()
    try await sender.broadcast(Command(type: "first"))
    // Nobody listened: it waits for the first who does.
    for await (_, command) in receiver.commands {
      #expect(command.type == "first")
      break
    }
    let collectors = [Collector(receiver.commands), Collector(receiver.commands)]
    for type in ["second", "third"] { try await sender.broadcast(Command(type: type)) }
    try await eventually("both consumers") {
      collectors.allSatisfy { $0.elements.map(\.1.type) == ["second", "third"] }
    }
    // Peers are a state: each consumer begins with what is.
    for _ in 0..<2 {
      for await peers in receiver.peers {
        #expect(peers.map(\.id) == [sender.localPeer])
        #expect(peers.first?.label == "host 0")
        break
      }
    }
  }

  @Test("a cancelled consumer ends, and the others go on")
  func cancelledConsumer() async throws {
    let group = MockGroup(2)
    defer { group.stop() }
    try await group.start()
    let receiver = group.clocks[1]
    let cancelled = Task {
      for await _ in receiver.commands {}
      return true
    }
    await Task.yield()
    cancelled.cancel()
    #expect(await cancelled.value)
    let collector = Collector(receiver.commands)
    try await group.clocks[0].broadcast(Command(type: "still here"))
    try await eventually("the command") { collector.elements.map(\.1.type) == ["still here"] }
  }

  @Test("when the coordinator stops, another takes over and the time goes on")
  func takeover() async throws {
    let group = MockGroup(3)
    defer { group.stop() }
    try await group.start()
    let leader = try #require(group.clocks.first { $0.coordinator == $0.localPeer })
    let rest = group.clocks.filter { $0.localPeer != leader.localPeer }
    let session = try #require(leader.session)
    try await eventually("a burst of exchanges") {
      for clock in rest where await clock.diagnostics().exchanges ?? 0 < 40 { return false }
      return true
    }
    leader.stop()
    try await eventually("the succession", within: .seconds(12)) {
      Set(rest.map(\.coordinator)).count == 1 && rest[0].coordinator != nil
        && rest[0].coordinator != leader.localPeer
    }
    #expect(rest.allSatisfy { $0.session == session })
    // The one that stopped holds over on the very timeline that the others inherited.
    let spread = try spreadNanoseconds(group.clocks)
    #expect(spread < 20_000, "\(spread) ns")
  }
}
