import HostClock
import PeerClock
import TestLanes
import Testing
import Units

/// Clocks with real sockets on loopback, each test on a multicast port of its own.
@Suite("Clocks on loopback", .live)
struct LoopbackTests {
  static func configuration(_ port: UInt16, _ label: String) -> PeerClockConfiguration {
    var configuration = PeerClockConfiguration(
      group: .init(name: "loopback \(port)", passphrase: "a passphrase"), label: label)
    configuration.interfaces = ["lo"]
    configuration.multicastPort = port
    return configuration
  }

  /// A port of the dynamic range that no other test, and no other run at the time, uses.
  static func freePort() -> UInt16 { UInt16.random(in: 20_000...32_000) }

  @Test("find each other and agree within 3 s", arguments: [2, 3])
  func agree(count: Int) async throws {
    let port = Self.freePort()
    let clocks = (0..<count).map { PeerClock(configuration: Self.configuration(port, "h\($0)")) }
    defer { for clock in clocks { clock.stop() } }
    let start = HostClock().now()
    try await startAll(clocks)
    try await meet(clocks)
    let elapsed = HostClock().now() - start
    #expect(elapsed < .seconds(3), "it took \(elapsed)")

    try await eventually("a burst of exchanges") {
      let followers = clocks.filter { $0.localPeer != $0.coordinator }
      for follower in followers {
        guard await follower.diagnostics().exchanges ?? 0 >= 20 else { return false }
      }
      return true
    }
    let spread = try spreadNanoseconds(clocks)
    #expect(spread < 20_000, "the clocks differ by \(spread) ns")
    for clock in clocks where clock.localPeer != clock.coordinator {
      let figures = await clock.diagnostics()
      #expect(figures.stamp == "kernel")
      #expect(try #require(figures.floorRoundTripNanoseconds) < 500_000)
      let offset = try #require(figures.offsetNanoseconds).magnitude
      let bound = try #require(figures.jitterBoundNanoseconds)
      #expect(offset < bound + (try #require(figures.pathLimitNanoseconds)))
    }
  }

  @Test("carry commands and status over sealed links")
  func talk() async throws {
    let port = Self.freePort()
    let clocks = (0..<2).map { PeerClock(configuration: Self.configuration(port, "h\($0)")) }
    defer { for clock in clocks { clock.stop() } }
    let received = Collector(clocks[1].commands)
    let statuses = Collector(clocks[1].statusUpdates)
    await clocks[0].setStatus("before the start", forKey: "note")
    try await startAll(clocks)
    try await meet(clocks)
    let payload = [UInt8](repeating: 7, count: 60 * 1024)
    try await clocks[0].broadcast(Command(type: "big", payload: payload))
    try await eventually("the command") { received.elements.count == 1 }
    #expect(received.elements[0].0 == clocks[0].localPeer)
    #expect(received.elements[0].1 == Command(type: "big", payload: payload))
    try await eventually("the status") {
      statuses.elements.last?.text(forKey: "note") == "before the start"
    }
  }

  @Test("seeds do where multicast does not reach")
  func seeds() async throws {
    let one = PeerClock(configuration: Self.configuration(Self.freePort(), "one"))
    defer { one.stop() }
    var fixed = Self.configuration(Self.freePort(), "fixed")
    fixed.port = UInt16.random(in: 33_000...60_000)
    let other = PeerClock(configuration: fixed)
    defer { other.stop() }
    try await other.start()
    var seeded = Self.configuration(Self.freePort(), "seeded")
    seeded.group = fixed.group
    seeded.seeds = [.init(host: "127.0.0.1", port: fixed.port)]
    let third = PeerClock(configuration: seeded)
    defer { third.stop() }
    try await startAll([one, third])
    try await meet([other, third])
    #expect(one.currentPeers.isEmpty)
  }

  @Test("a port in use is refused in words, and the next start with another works")
  func portInUse() async throws {
    var configuration = Self.configuration(Self.freePort(), "first")
    configuration.port = UInt16.random(in: 33_000...60_000)
    let first = PeerClock(configuration: configuration)
    defer { first.stop() }
    try await first.start()
    let second = PeerClock(configuration: configuration)
    await #expect(throws: PeerClockError.portInUse(subject: "UDP port \(configuration.port)")) {
      try await second.start()
    }
    await first.finish()
    // The first start failed; the clock may be started again.
    try await second.start()
    second.stop()
  }

  @Test("an interface that is not there is refused with those that are")
  func noInterface() async throws {
    var configuration = Self.configuration(Self.freePort(), "host")
    configuration.interfaces = ["eth77"]
    let clock = PeerClock(configuration: configuration)
    do {
      try await clock.start()
      Issue.record("it started")
    } catch {
      guard case .noSuchInterface("eth77", let available) = error else { throw error }
      #expect(available.contains("lo"))
    }
  }
}
