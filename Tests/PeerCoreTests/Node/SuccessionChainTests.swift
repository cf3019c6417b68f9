import PeerCore
import Simulation
import TestLanes
import Testing
import Units

/// Budgets: a successor within 3 s each time; every reading within its bound of the first
/// coordinator's line; the bound 150 us at most.
@Suite("Coordinators fail in turn, seconds apart", .computing)
struct SuccessionChainTests {
  /// Three hosts that roll after 3 s, and look at each other's time every 20 ms from 5 s on.
  private func rollingFleet(
    in world: World, network: NetworkConditions
  ) throws -> (Fleet, SharedLine) {
    let fleet = Fleet(in: world, hosts: 3, network: network)
    world.run(until: .seconds(3))
    for host in fleet.hosts { host.use { node, now in node.setActivity(.rolling, at: now) } }
    world.run(until: .seconds(6))
    try #require(fleet.coordinator == 0, "seed \(world.seed)")
    let line = SharedLine(
      map: try #require(fleet.hosts[0].node?.clockMap), oscillator: fleet.hosts[0].oscillator)
    world.every(.milliseconds(20)) {
      for host in fleet.hosts where host.isAwake { line.look(at: host, in: world) }
    }
    return (fleet, line)
  }

  @Test(
    "frozen, cut off, killed: time stays on its line within its bound",
    arguments: UInt64(301)...308)
  func chain(seed: UInt64) throws {
    let world = World(seed: seed)
    let (fleet, line) = try rollingFleet(in: world, network: .loopback)
    fleet.hosts[0].freeze()
    world.run(until: .milliseconds(8_900))
    #expect(fleet.hosts[2].node?.coordinator == fleet.hosts[1].peer, "seed \(seed)")
    world.run(until: .milliseconds(9_200))
    fleet.hosts[0].thaw()
    world.run(until: .milliseconds(10_200))
    #expect(fleet.coordinator == 1, "seed \(seed)")
    fleet.split([1])
    world.run(until: .milliseconds(13_100))
    let second = try #require([0, 2].first { fleet.coordinators.contains($0) }, "seed \(seed)")
    #expect(fleet.hosts[2 - second].node?.coordinator == fleet.hosts[second].peer, "seed \(seed)")
    world.run(until: .milliseconds(14_200))
    fleet.heal()
    world.run(until: .milliseconds(15_200))
    #expect(fleet.coordinator == second, "seed \(seed)")
    fleet.hosts[second].stop(crash: true)
    world.run(until: .milliseconds(18_200))
    #expect(fleet.coordinator != nil, "seed \(seed)")
    world.run(until: .seconds(30))
    #expect(line.worstExcess == 0, "seed \(seed): \(line.worstPlace)")
    #expect(line.isMonotone, "seed \(seed)")
    #expect(line.widest < 150_000, "seed \(seed): \(line.widest) ns")
  }
}
