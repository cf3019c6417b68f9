import PeerCore
import Simulation
import TestLanes
import Testing
import Units

@Suite("Commands", .computing)
struct CommandTests {
  static func delivered(to host: SimulatedHost) -> [(time: Duration, value: String)] {
    host.events { action in
      if case .deliver(let command, _) = action { command.type } else { nil }
    }
  }

  static func acknowledged(at host: SimulatedHost) -> Int {
    host.events { action -> Bool? in
      if case .acknowledged = action { true } else { nil }
    }.count
  }

  @Test(
    "each runs once at each peer, in order, and is acknowledged by each",
    arguments: [0, 0.3] as [Double])
  func once(loss: Double) {
    let world = World(seed: 71)
    let fleet = Fleet(in: world, hosts: 4, network: .wireless.losing(loss))
    world.run(until: .seconds(8))
    for number in 0..<20 {
      world.schedule(at: .seconds(8) + .milliseconds(50 * Int64(number))) {
        fleet.hosts[1].attempt { node, now in
          try node.broadcast(type: "count.\(number)", payload: [1, 2], at: now).actions
        }
      }
    }
    world.run(until: .seconds(14))
    let all = (0..<20).map { "count.\($0)" }
    for number in [0, 2, 3] {
      #expect(Self.delivered(to: fleet.hosts[number]).map(\.value) == all, "host \(number)")
    }
    #expect(Self.delivered(to: fleet.hosts[1]).isEmpty)
    #expect(Self.acknowledged(at: fleet.hosts[1]) == 60)
  }

  @Test("what is given while the network is cut arrives after it, once; what expires does not")
  func cut() throws {
    let world = World(seed: 72)
    let fleet = Fleet(in: world, hosts: 2, network: .wired)
    world.run(until: .seconds(5))
    fleet.cut(0, 1)
    world.run(until: .milliseconds(5200))
    let soon = try #require(fleet.hosts[0].displayed()) + .seconds(1)
    fleet.hosts[0].attempt { node, now in
      let other = fleet.hosts[1].peer
      let lasting = try node.send(type: "lasting", payload: [], to: other, at: now)
      let brief = try node.send(type: "brief", payload: [], to: other, expires: soon, at: now)
      return lasting.actions + brief.actions
    }
    world.run(until: .seconds(7))
    fleet.heal()
    world.run(until: .seconds(9))
    #expect(Self.delivered(to: fleet.hosts[1]).map(\.value) == ["lasting"])
    #expect(Self.acknowledged(at: fleet.hosts[0]) == 1)
    let abandoned = fleet.hosts[0].events { action -> CommandFailure? in
      if case .abandoned(_, _, let reason) = action { reason } else { nil }
    }
    #expect(abandoned.map(\.value) == [.expired])
    #expect(abandoned.first.map { ($0.time - .seconds(6.2)).inSeconds.magnitude < 0.05 } ?? false)
  }

  @Test("a lost peer's commands are given up, and it is no recipient any more")
  func lost() throws {
    let world = World(seed: 73)
    let fleet = Fleet(in: world, hosts: 2, network: .wired)
    world.run(until: .seconds(5))
    fleet.hosts[1].stop(crash: true)
    fleet.hosts[0].attempt { node, now in
      try node.broadcast(type: "late", payload: [], at: now).actions
    }
    world.run(until: .seconds(9))
    let abandoned = fleet.hosts[0].events { action -> CommandFailure? in
      if case .abandoned(_, _, let reason) = action { reason } else { nil }
    }
    #expect(abandoned.map(\.value) == [.peerLost])
    let other = fleet.hosts[1].peer
    #expect(throws: PeerNodeError.unknownPeer(other)) {
      try fleet.hosts[0].use { node, now in
        try node.send(type: "later", payload: [], to: other, at: now).actions
      }
    }
  }

  @Test("a peer that was lost and comes back over the old link gets what is then given")
  func lostAndFound() throws {
    let world = World(seed: 75)
    let fleet = Fleet(in: world, hosts: 3, network: .wired)
    world.run(until: .seconds(4))
    fleet.split([1])
    world.run(until: .seconds(9))
    #expect(fleet.hosts[0].node?.peers.first?.liveness == .disconnected)
    fleet.heal()
    world.run(until: .seconds(12))
    let before = fleet.hosts[1].events.count
    try fleet.hosts[0].use { node, now in
      try node.broadcast(type: "stop", payload: [1], at: now).actions
    }
    world.run(until: .seconds(13))
    let delivered = fleet.hosts[1].events.dropFirst(before).count { event in
      if case .deliver(let command, _) = event.action { command.type == "stop" } else { false }
    }
    #expect(delivered == 1)
  }

  @Test("to oneself a command is delivered at once")
  func own() {
    let world = World(seed: 74)
    let fleet = Fleet(in: world, hosts: 1, network: .wired)
    world.run(until: .seconds(1))
    fleet.hosts[0].attempt { node, now in
      try node.send(type: "self", payload: [], to: node.me, at: now).actions
    }
    #expect(Self.delivered(to: fleet.hosts[0]).map(\.value) == ["self"])
    #expect(Self.acknowledged(at: fleet.hosts[0]) == 1)
  }
}

extension Duration {
  static func seconds(_ value: Double) -> Duration { .nanoseconds(Int64(value * 1e9)) }
}
