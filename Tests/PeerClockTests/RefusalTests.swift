import PeerClock
import PeerClockTestSupport
import TestLanes
import Testing
import Units

@Suite("What a clock refuses", .live)
struct RefusalTests {
  @Test("another passphrase for the same group is counted on both sides, with the address")
  func wrongPassphrase() async throws {
    let group = MockGroup(2) { configuration, number in
      configuration.group = .init(name: "band", passphrase: "secret \(number)")
    }
    defer { group.stop() }
    try await startAll(group.clocks)
    try await eventually("counts on both sides") {
      for clock in group.clocks {
        let figures = await clock.diagnostics()
        guard figures.refusals["wrong_key_or_forged"] ?? 0 > 0 else { return false }
        guard figures.wrongKeyByAddress.count == 1 else { return false }
      }
      return true
    }
    for clock in group.clocks {
      #expect(clock.currentPeers.isEmpty)
      #expect(await clock.diagnostics().refusals["other_group"] == nil)
    }
  }

  @Test("two groups on one network never meet, and say so apart from a wrong key")
  func twoGroups() async throws {
    let group = MockGroup(4) { configuration, number in
      configuration.group = .init(name: "group \(number % 2)", passphrase: "the same")
    }
    defer { group.stop() }
    let pairs = [[group.clocks[0], group.clocks[2]], [group.clocks[1], group.clocks[3]]]
    try await startAll(group.clocks)
    for pair in pairs { try await meet(pair) }
    #expect(pairs[0][0].session?.id != pairs[1][0].session?.id)
    for clock in group.clocks {
      #expect(clock.currentPeers.count == 1)
      let figures = await clock.diagnostics()
      #expect(figures.refusals["other_group"] ?? 0 > 0)
      #expect(figures.refusals["wrong_key_or_forged"] == nil)
    }
  }

  @Test("garbage is counted by reason and does no harm")
  func garbage() async throws {
    let group = MockGroup(2)
    defer { group.stop() }
    try await group.start()
    let clock = group.clocks[0]
    let peer = try #require(clock.localPeer)
    var version = [UInt8](repeating: 0, count: 120)
    version[0] = 99
    var category = version
    category[0] = 1
    category[1] = 15
    for bytes in [
      [], [1, 2, 3], version, category, [UInt8](repeating: 1, count: 1500),
    ] {
      group.network.inject(bytes, to: peer)
    }
    try await eventually("the counts") {
      let refusals = await clock.diagnostics().refusals
      return refusals["too_short"] == 2 && refusals["unknown_version"] == 1
        && refusals["unknown_category"] == 1 && refusals["too_long"] == 1
    }
    try await clock.broadcast(Command(type: "still alive"))
    #expect(clock.currentPeers.map(\.state) == [.connected])
  }

  @Test("an empty passphrase and a mistaken multicast group are refused in words")
  func configuration() async throws {
    let nameless = PeerClock(
      configuration: PeerClockConfiguration(group: .init(name: "g", passphrase: "")))
    await #expect(throws: PeerClockError.self) { try await nameless.start() }
    var configuration = PeerClockConfiguration(group: .init(name: "g", passphrase: "p"))
    configuration.multicastGroup = "10.0.0.1"
    configuration.interfaces = ["lo"]
    let mistaken = PeerClock(configuration: configuration)
    await #expect(
      throws: PeerClockError.configuration(
        reason: "\"10.0.0.1\" is not an IPv4 multicast address")
    ) { try await mistaken.start() }
  }
}
