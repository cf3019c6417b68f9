import FoundationEssentials
import PeerClock
import PeerClockTestSupport
import PeerCore
import TestLanes
import Testing
import Units

@Suite("A state directory that was copied", .live)
struct TwinStateTests {
  private func clock(_ path: String, _ network: MockNetwork, label: String) -> PeerClock {
    let configuration = PeerClockConfiguration(
      group: .init(name: "state", key: Array(repeating: 3, count: 32)), stateDirectory: path,
      label: label)
    return PeerClock(configuration: configuration, transportFactory: network.transportFactory)
  }

  @Test("the copy goes on under an id of its own, and keeps it; the former one stands beside it")
  func copied() async throws {
    let folder = StateTests.Folder()
    let copy = StateTests.Folder()
    let first = clock(folder.path, MockNetwork(), label: "first")
    try await first.start()
    let peer = try #require(first.localPeer)
    await first.finish()
    try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)

    let network = MockNetwork()
    let original = clock(folder.path, network, label: "original")
    try await original.start()
    await original.setActivity(.rolling)
    let twin = clock(copy.path, network, label: "twin")
    let changes = Collector(twin.changes)
    try await twin.start()
    try await eventually("two ids") { twin.localPeer != peer }
    try await meet([original, twin])
    #expect(original.localPeer == peer)
    let own = try #require(twin.localPeer)
    #expect(changes.elements.contains(.identity(own, former: peer)))
    #expect(original.currentPeers.map(\.id) == [own])
    await twin.finish()
    await original.finish()

    let state = try #require(
      FileManager.default.contents(atPath: copy.path + "/peerclock.json"))
    let text = String(decoding: state, as: UTF8.self)
    #expect(text.contains(own.description) && text.contains(peer.description))
    let again = clock(copy.path, MockNetwork(), label: "again")
    try await again.start()
    #expect(again.localPeer == own)
    await again.finish()
  }
}
