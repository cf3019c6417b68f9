import PeerCore
import Simulation
import TestLanes
import Testing
import Units

/// Hosts on two networks at once, one of which they lose.
@Suite("Failing over between two networks", .computing)
struct PathFailoverTests {
  private func changes(_ host: SimulatedHost, to other: PeerID) -> [(Duration, PathTable.Change)] {
    host.events { action in
      guard case .note(.pathChanged(other, _, let change)) = action else { return nil }
      return change
    }.map { ($0.time, $0.value) }
  }

  @Test(
    "a pulled cable: the next path within 2 s, back when it is plugged in; time and links hold",
    arguments: [0, 1], [true, false])
  func pulled(line: Int, isFollower: Bool) throws {
    let seed: UInt64 = 170
    let world = World(seed: seed)
    let fleet = Fleet(in: world, hosts: 3, network: .wired, lines: 2)
    world.run(until: .seconds(20))
    let leader = try #require(fleet.coordinator)
    let follower = (leader + 1) % 3
    #expect(fleet.isConnected)
    let used = try #require(fleet.line(from: follower, to: leader))
    let pulled = isFollower ? follower : leader
    let victim = line == 0 ? used : 1 - used
    fleet.hosts[follower].use { node, now in node.setActivity(.rolling, at: now) }
    world.run(until: .seconds(30))
    fleet.pull(pulled, line: victim)
    world.run(until: .seconds(60))
    let lost = changes(fleet.hosts[follower], to: fleet.hosts[leader].peer)
    if victim == used {
      #expect(lost.map(\.1) == [.failed], "seed \(seed)")
      #expect(lost.first.map { $0.0 < .seconds(32) } ?? false, "seed \(seed): \(lost)")
    } else {
      #expect(lost.isEmpty, "seed \(seed): \(lost)")
    }
    #expect(fleet.line(from: follower, to: leader) == 1 - victim)
    #expect(fleet.isConnected)
    fleet.plug(pulled, line: victim)
    world.run(until: .seconds(90))
    let back = changes(fleet.hosts[follower], to: fleet.hosts[leader].peer).dropFirst(lost.count)
    #expect(back.map(\.1) == (victim == used ? [.better] : []), "seed \(seed)")
    #expect(fleet.line(from: follower, to: leader) == used)
    #expect(fleet.coordinator == leader)
    #expect(fleet.worstSyncError(after: .seconds(5)) < .microseconds(20), "seed \(seed)")
  }

  @Test("a command reaches a host whose link's network was lost, within 3 s of the loss")
  func command() throws {
    let world = World(seed: 171)
    let fleet = Fleet(in: world, hosts: 2, network: .wired, lines: 2)
    world.run(until: .seconds(15))
    let used = try #require(fleet.line(from: 0, to: 1))
    fleet.pull(1, line: used)
    world.run(until: .seconds(15.1))
    for host in fleet.hosts {
      try host.use { node, now in
        try node.broadcast(type: "x", payload: [UInt8(host.number)], at: now).actions
      }
    }
    world.run(until: .seconds(20))
    for host in fleet.hosts {
      let arrived = host.events { action -> [UInt8]? in
        if case .deliver(let command, _) = action { command.payload } else { nil }
      }
      #expect(arrived.map(\.value) == [[UInt8(1 - host.number)]])
      #expect(arrived.first.map { $0.time < .seconds(18) } ?? false, "\(arrived)")
    }
  }

  @Test("the quicker network is found and used; the bound widens on the slower and narrows again")
  func bounds() throws {
    let world = World(seed: 172)
    let fleet = Fleet(in: world, hosts: 2, network: .wired, lines: 2)
    let slow = Burden(delay: 900_000, jitter: 300_000)
    fleet.burden(line: 0, slow)
    world.run(until: .seconds(60))
    let leader = try #require(fleet.coordinator)
    let follower = 1 - leader
    #expect(fleet.line(from: follower, to: leader) == 1)
    func bound() -> Int64 {
      let host = fleet.hosts[follower]
      return host.node?.clockMap?.boundNanoseconds(at: host.clock) ?? .max
    }
    let narrow = bound()
    fleet.pull(leader, line: 1)
    world.run(until: .seconds(75))
    #expect(fleet.line(from: follower, to: leader) == 0)
    let wide = bound()
    #expect(wide > narrow + 800_000, "\(narrow) to \(wide) ns")
    fleet.plug(leader, line: 1)
    world.run(until: .seconds(120))
    #expect(fleet.line(from: follower, to: leader) == 1)
    #expect(bound() < narrow + 50_000, "\(wide) to \(bound()) ns")
  }

  @Test("30 of 100 packets lost on both networks lead to no change of path while time is measured")
  func loss() throws {
    let world = World(seed: 173)
    let fleet = Fleet(in: world, hosts: 3, network: .wired.losing(0.3), lines: 2)
    for host in fleet.hosts {
      world.schedule(at: .seconds(5)) {
        host.use { node, now in node.setActivity(.rolling, at: now) }
      }
    }
    world.run(until: .seconds(300))
    let leader = try #require(fleet.coordinator)
    for host in fleet.hosts where host.number != leader {
      let seen = changes(host, to: fleet.hosts[leader].peer)
      #expect(seen.count <= 1, "host \(host.number): \(seen)")
    }
  }
}
