import PeerCore
import Simulation
import TestLanes
import Testing
import Units

/// Budgets: a successor within 3 s; shared time within 20 us of its line; no session changes.
@Suite("A coordinator fails during a take", .computing)
struct SuccessionTests {
  /// Three hosts that roll; host 0 leads from the beginning.
  private func rollingFleet(in world: World) throws -> Fleet {
    let fleet = Fleet(in: world, hosts: 3, network: .wired)
    world.run(until: .seconds(5))
    for host in fleet.hosts { host.use { node, now in node.setActivity(.rolling, at: now) } }
    world.run(until: .seconds(20))
    try #require(fleet.coordinator == 0, "seed \(world.seed)")
    return fleet
  }

  /// What the first coordinator's line and the others' readings say, from now on.
  private func watch(_ numbers: [Int], of fleet: Fleet) throws -> SharedLine {
    let line = SharedLine(
      map: try #require(fleet.hosts[0].node?.clockMap), oscillator: fleet.hosts[0].oscillator)
    fleet.world.every(.milliseconds(20)) {
      for number in numbers { line.look(at: fleet.hosts[number], in: fleet.world) }
    }
    return line
  }

  @Test(
    "frozen and back: a successor within 3 s, and nobody obeys the deserter",
    arguments: UInt64(201)...206)
  func frozen(seed: UInt64) throws {
    let world = World(seed: seed)
    let fleet = try rollingFleet(in: world)
    let session = fleet.hosts[1].node?.session?.id
    let line = try watch([1, 2], of: fleet)
    fleet.hosts[0].freeze()
    world.run(until: .seconds(23))
    #expect(fleet.hosts[1].node?.coordinator == fleet.hosts[1].peer, "seed \(seed)")
    #expect(fleet.hosts[2].node?.coordinator == fleet.hosts[1].peer, "seed \(seed)")
    let term = fleet.hosts[1].node?.term
    world.run(until: .seconds(26) + .milliseconds(Int64(seed % 10) * 70))
    fleet.hosts[0].thaw()
    world.run(until: .seconds(30))
    #expect(fleet.coordinator == 1, "seed \(seed)")
    #expect(fleet.hosts.allSatisfy { $0.node?.term == term }, "seed \(seed): nobody raises a term")
    #expect(fleet.hosts.allSatisfy { $0.node?.session?.id == session }, "seed \(seed)")
    #expect(line.worst < 20_000, "seed \(seed): off by \(line.worst) ns")
    #expect(line.isMonotone, "seed \(seed)")
    #expect(fleet.worstSyncError(after: .seconds(28)) < .microseconds(20), "seed \(seed)")
  }

  @Test(
    "cut off and back: a successor within 3 s, and nobody obeys the deserter",
    arguments: UInt64(211)...216)
  func cutOff(seed: UInt64) throws {
    let world = World(seed: seed)
    let fleet = try rollingFleet(in: world)
    let line = try watch([1, 2], of: fleet)
    fleet.split([0])
    world.run(until: .seconds(23))
    #expect(fleet.hosts[1].node?.coordinator == fleet.hosts[1].peer, "seed \(seed)")
    #expect(fleet.hosts[2].node?.coordinator == fleet.hosts[1].peer, "seed \(seed)")
    let term = fleet.hosts[1].node?.term
    world.run(until: .seconds(26) + .milliseconds(Int64(seed % 10) * 70))
    fleet.heal()
    world.run(until: .seconds(30))
    #expect(fleet.coordinator == 1, "seed \(seed)")
    #expect(fleet.hosts.allSatisfy { $0.node?.term == term }, "seed \(seed): nobody raises a term")
    #expect(line.worst < 20_000, "seed \(seed): off by \(line.worst) ns")
    #expect(line.isMonotone, "seed \(seed)")
  }

  @Test("the first coordinator dies while another host joins: it does not wait for ever")
  func diesWhileJoining() {
    for step in 0..<16 {
      let world = World(seed: 220 + UInt64(step))
      let fleet = Fleet(in: world, hosts: 3, network: .wired, starts: [.zero, .zero, .seconds(5)])
      world.run(until: .seconds(5) + .milliseconds(100 * Int64(step)))
      fleet.hosts[0].stop(crash: true)
      world.run(until: world.now + .seconds(4))
      #expect(fleet.coordinator == 1, "seed \(world.seed)")
      #expect(fleet.hosts[2].node?.clockMap != nil, "seed \(world.seed)")
      #expect(
        fleet.hosts[1].node?.session?.id == fleet.hosts[2].node?.session?.id,
        "seed \(world.seed)")
    }
  }

  @Test("a lone first host dies while the second joins: the second begins by itself")
  func loneDiesWhileJoining() {
    for step in 0..<16 {
      let world = World(seed: 240 + UInt64(step))
      let fleet = Fleet(in: world, hosts: 2, network: .wired, starts: [.zero, .seconds(5)])
      world.run(until: .seconds(5) + .milliseconds(30 * Int64(step)))
      fleet.hosts[0].stop(crash: true)
      world.run(until: world.now + .seconds(4))
      #expect(fleet.hosts[1].node?.clockMap != nil, "seed \(world.seed)")
    }
  }

  @Test(
    "a newcomer with the smallest id changes nothing in a rolling take",
    arguments: [261, 262] as [UInt64])
  func newcomer(seed: UInt64) {
    let world = World(seed: seed)
    let ids = [3, 2, 1].map { PeerID(high: $0, low: 0) }
    let fleet = Fleet(
      in: world, hosts: 3, network: .wired, starts: [.zero, .zero, .seconds(8)], ids: ids)
    world.run(until: .seconds(4))
    for host in fleet.hosts { host.use { node, now in node.setActivity(.rolling, at: now) } }
    let (term, session) = (fleet.hosts[1].node?.term, fleet.hosts[0].node?.session?.id)
    world.run(until: .seconds(12))
    #expect(fleet.coordinator == 1, "seed \(seed)")
    #expect(fleet.hosts.allSatisfy { $0.node?.term == term }, "seed \(seed)")
    #expect(fleet.hosts.allSatisfy { $0.node?.session?.id == session }, "seed \(seed)")
  }

  @Test("all hosts restarted in one boot find their session, and its time, again")
  func restarted() throws {
    let world = World(seed: 271)
    let fleet = Fleet(in: world, hosts: 3, network: .wired)
    world.run(until: .seconds(90))
    let session = fleet.hosts[0].node?.session?.id
    let line = SharedLine(
      map: try #require(fleet.hosts[0].node?.clockMap), oscillator: fleet.hosts[0].oscillator)
    for host in fleet.hosts { host.stop(crash: true) }
    world.run(until: .seconds(100))
    for host in fleet.hosts { host.start(remembering: true) }
    world.run(until: .seconds(104))
    #expect(fleet.hosts.allSatisfy { $0.node?.session?.id == session })
    for host in fleet.hosts { line.look(at: host, in: world) }
    // A map of up to a minute ago, and ten seconds without anybody.
    #expect(line.worst < 100_000, "off by \(line.worst) ns")
    #expect(fleet.worstSyncError(after: .seconds(103)) < .microseconds(20))
  }

  @Test("the coordinator's wall clock is set by years during a take: nothing changes")
  func wildWallClock() throws {
    let world = World(seed: 275)
    let fleet = try rollingFleet(in: world)
    let (term, session) = (fleet.hosts[1].node?.term, fleet.hosts[1].node?.session)
    let line = try watch([0, 1, 2], of: fleet)
    fleet.hosts[0].stepWall(by: .seconds(-200_000_000))
    world.run(until: .seconds(26))
    fleet.hosts[0].stepWall(by: .seconds(300_000_000))
    world.run(until: .seconds(32))
    #expect(fleet.coordinator == 0)
    #expect(fleet.hosts.allSatisfy { $0.node?.term == term && $0.node?.session == session })
    #expect(line.worst < 20_000, "off by \(line.worst) ns")
    #expect(line.isMonotone)
  }

  @Test("who joins after successions, ten minutes later, gets the same session and anchor")
  func lateJoiner() throws {
    let world = World(seed: 276)
    let fleet = Fleet(
      in: world, hosts: 4, network: .wired,
      starts: [.zero, .zero, .zero, .seconds(600)])
    world.run(until: .seconds(5))
    for host in fleet.hosts { host.use { node, now in node.setActivity(.rolling, at: now) } }
    let session = fleet.hosts[0].node?.session
    let line = try watch([1, 2, 3], of: fleet)
    world.schedule(at: .seconds(60)) { fleet.hosts[0].stop(crash: true) }
    world.run(until: .seconds(605))
    #expect(session != nil)
    #expect(fleet.hosts.dropFirst().allSatisfy { $0.node?.session == session })
    #expect(fleet.coordinator == 1)
    // The timeline goes on at the rate that its successor knew: to 0.4 ppm, over nine minutes.
    #expect(line.worst < 216_000, "off by \(line.worst) ns")
  }

  @Test("all power off in one boot and wake: they say how far the gap makes the bound grow")
  func resumed() throws {
    let world = World(seed: 277)
    let fleet = Fleet(in: world, hosts: 2, network: .wired)
    world.run(until: .seconds(70))
    for host in fleet.hosts { host.stop() }
    world.run(until: .seconds(100))
    for host in fleet.hosts { host.start(remembering: true) }
    world.run(until: .seconds(101))
    for host in fleet.hosts {
      let notes = host.events { if case .note(let note) = $0 { note } else { nil } }.map(\.value)
      let gaps = notes.compactMap { note -> (Duration, Int64)? in
        if case .resumed(_, let gap, let bound) = note { (gap, bound) } else { nil }
      }
      let (gap, bound) = try #require(gaps.first, "host \(host.number)")
      #expect(abs(gap.inSeconds - 30) < 0.6, "host \(host.number)")
      // The coordinator's map was exact, and its crystal may part by 1 ppm for 30 s. A follower's has
      // half of the round trip of 120 us besides, and the doubt of a rate after a minute.
      let limit: Int64 = host.number == 0 ? 31_000 : 62_000 + 45_000
      #expect(bound >= 30_000 && bound < limit, "host \(host.number): \(bound) ns")
    }
  }

  @Test("a host that slept is unsynced until it has listened, and then in the same session")
  func slept() throws {
    let world = World(seed: 278)
    let fleet = Fleet(in: world, hosts: 3, network: .wired)
    world.run(until: .seconds(20))
    let session = fleet.hosts[1].node?.session
    let generation = try #require(fleet.hosts[0].node?.clockMap?.generation)
    // The coordinator itself: another leads when it wakes.
    fleet.hosts[0].suspend()
    world.run(until: .seconds(320))
    fleet.hosts[0].resume()
    #expect(fleet.hosts[0].node?.clockMap == nil)
    world.run(until: .seconds(325))
    #expect(fleet.coordinator == 1)
    #expect(fleet.hosts.allSatisfy { $0.node?.session == session })
    #expect(try #require(fleet.hosts[0].node?.clockMap?.generation) > generation)
    #expect(fleet.worstSyncError(after: .seconds(323)) < .microseconds(20))
  }

  @Test("a lone host that slept begins a session that is linked to the old one")
  func sleptAlone() throws {
    let world = World(seed: 279)
    let fleet = Fleet(in: world, hosts: 1, network: .wired)
    world.run(until: .seconds(20))
    let before = try #require(fleet.hosts[0].node?.session)
    fleet.hosts[0].suspend()
    world.run(until: .seconds(80))
    fleet.hosts[0].resume()
    world.run(until: .seconds(83))
    let after = try #require(fleet.hosts[0].node?.session)
    #expect(after.id != before.id)
    #expect(after.previous == before.id)
  }

  @Test("a twin of a follower changes nothing for the others", arguments: [281, 282] as [UInt64])
  func twin(seed: UInt64) {
    let world = World(seed: seed)
    let ids = [1, 2, 3, 3].map { PeerID(high: $0, low: 0) }
    let fleet = Fleet(
      in: world, hosts: 4, network: .wired,
      starts: [.zero, .zero, .zero, .seconds(8)], ids: ids)
    world.run(until: .seconds(4))
    for host in fleet.hosts { host.use { node, now in node.setActivity(.rolling, at: now) } }
    let (term, session) = (fleet.hosts[0].node?.term, fleet.hosts[0].node?.session?.id)
    world.run(until: .seconds(16))
    for host in fleet.hosts.prefix(3) {
      #expect(host.node?.term == term, "seed \(seed), host \(host.number)")
      #expect(host.node?.coordinator == ids[0], "seed \(seed), host \(host.number)")
      #expect(host.node?.session?.id == session, "seed \(seed), host \(host.number)")
    }
  }
}
