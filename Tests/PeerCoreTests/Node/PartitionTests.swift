import PeerCore
import Simulation
import TestLanes
import Testing
import Units

/// Budgets: one coordinator 3 s after the heal; in sync again within 5 s of it.
@Suite("The network splits and heals", .computing)
struct PartitionTests {
  @Test(
    "the larger side's coordinator prevails with a higher term",
    arguments: [51, 52, 53] as [UInt64])
  func largerSide(seed: UInt64) throws {
    let world = World(seed: seed)
    let fleet = Fleet(in: world, hosts: 5, network: .wired)
    world.run(until: .seconds(15))
    fleet.split([0, 1])
    world.run(until: .seconds(40))
    #expect(Set(fleet.coordinators) == [0, 2], "seed \(seed)")
    let session = fleet.hosts[0].node?.session?.id
    fleet.heal()
    world.run(until: .seconds(43))
    #expect(fleet.coordinator == 2, "seed \(seed)")
    let highest = fleet.hosts.compactMap { $0.node?.term?.counter }.max() ?? 0
    #expect(fleet.hosts.allSatisfy { $0.node?.term?.counter == highest }, "seed \(seed)")
    world.run(until: .seconds(60))
    #expect(fleet.hosts.allSatisfy { $0.node?.session?.id == session }, "seed \(seed)")
    #expect(fleet.worstSyncError(after: .seconds(45)) < .microseconds(20), "seed \(seed)")
    #expect(fleet.isConnected, "seed \(seed)")
  }

  @Test("a rolling host outweighs numbers, and no rolling host changes its session")
  func rollingSide() throws {
    let world = World(seed: 54)
    let fleet = Fleet(in: world, hosts: 5, network: .wired)
    // Two groups that never met: each has a session of its own.
    fleet.split([0, 1])
    world.run(until: .seconds(10))
    #expect(Set(fleet.coordinators) == [0, 2])
    let rolling = try #require(fleet.hosts[0].node?.session?.id)
    fleet.hosts[1].use { node, now in node.setActivity(.rolling, at: now) }
    world.run(until: .seconds(12))
    fleet.heal()
    world.run(until: .seconds(15))
    #expect(fleet.coordinator == 0)
    world.run(until: .seconds(20))
    #expect(fleet.hosts.allSatisfy { $0.node?.session?.id == rolling })
    #expect(fleet.worstSyncError(after: .seconds(18)) < .microseconds(20))
  }

  @Test("both sides roll: each rolling host keeps its session until its take is closed")
  func bothRoll() throws {
    let world = World(seed: 55)
    let fleet = Fleet(in: world, hosts: 4, network: .wired)
    fleet.split([0])
    world.run(until: .seconds(10))
    let own = try #require(fleet.hosts[0].node?.session?.id)
    let other = try #require(fleet.hosts[1].node?.session?.id)
    for number in [0, 1, 2] {
      fleet.hosts[number].use { node, now in node.setActivity(.rolling, at: now) }
    }
    world.run(until: .seconds(12))
    fleet.heal()
    world.run(until: .seconds(30))
    #expect(fleet.coordinator == 1)
    #expect(fleet.hosts[0].node?.session?.id == own)
    let kept = fleet.hosts[0].events { action -> PeerNote? in
      if case .note(let note) = action { note } else { nil }
    }
    #expect(kept.contains { $0.value == .sessionKept(own: own, other: other) })
    let links = fleet.hosts[0].events { action -> SessionLink? in
      if case .sessionsCompared(let link) = action { link } else { nil }
    }
    let link = try #require(links.first?.value)
    #expect((link.from, link.to) == (own, other))
    // Both are the same host's reading of one moment: the link holds where it is carried on, too.
    let now = fleet.hosts[0].clock
    let (mine, theirs) = (
      try #require(fleet.hosts[0].node?.clockMap), try #require(fleet.hosts[1].node?.clockMap)
    )
    let elapsed = (now - link.host).wholeNanoseconds
    let expected =
      link.toInstant.nanoseconds - link.fromInstant.nanoseconds
      - Int64(Double(elapsed) * link.skew.fraction)
    let actual =
      theirs.shared(at: fleet.hosts[1].clock).nanoseconds - mine.shared(at: now).nanoseconds
    #expect(abs(actual - expected) < link.boundNanoseconds + 20_000)
    fleet.hosts[0].use { node, now in node.setActivity(.idle, at: now) }
    world.run(until: .seconds(33))
    #expect(fleet.hosts[0].node?.session?.id == other)
    #expect(fleet.worstSyncError(after: .seconds(33)) < .microseconds(20))
  }

  @Test("a link that one pair lacks makes no second coordinator", arguments: [56, 57] as [UInt64])
  func onePair(seed: UInt64) {
    let world = World(seed: seed)
    let fleet = Fleet(in: world, hosts: 4, network: .wired)
    world.run(until: .seconds(10))
    fleet.cut(0, 3)
    world.run(until: .seconds(40))
    #expect(fleet.coordinators == [0], "seed \(seed): others hear the coordinator still")
    fleet.heal()
    world.run(until: .seconds(44))
    #expect(fleet.coordinator == 0, "seed \(seed)")
    #expect(fleet.worstSyncError(after: .seconds(42)) < .microseconds(20), "seed \(seed)")
  }

  @Test(
    "displayed time never goes back, and steps only with a new generation",
    arguments: [58] as [UInt64])
  func monotone(seed: UInt64) {
    let world = World(seed: seed)
    let fleet = Fleet(in: world, hosts: 4, network: .wireless)
    world.schedule(at: .seconds(10)) { fleet.split([0, 3]) }
    world.schedule(at: .seconds(25)) { fleet.heal() }
    var last: [Int: (UInt32, SharedInstant, HostInstant)] = [:]
    var worst = 0.0
    world.every(.milliseconds(7)) {
      for host in fleet.hosts {
        guard let shown = host.displayed(), let map = host.node?.clockMap else { continue }
        let now = host.clock
        if let (generation, before, then) = last[host.number], generation == map.generation {
          #expect(shown > before, "seed \(seed), host \(host.number) at \(world.now)")
          let passed = (now - then).inSeconds
          worst = max(worst, abs((shown - before).inSeconds / passed - 1))
        }
        last[host.number] = (map.generation, shown, now)
      }
    }
    world.run(until: .seconds(40))
    // The fastest slew, and what two oscillators differ by.
    #expect(worst < 500e-6 + 130e-6, "seed \(seed): \(worst)")
  }
}
