import PeerCore
import Simulation
import TestLanes
import Testing
import Units

@Suite("The agenda", .computing)
struct AgendaTests {
  @Test("fires on all hosts at one instant of shared time", arguments: [91, 92] as [UInt64])
  func together(seed: UInt64) throws {
    let world = World(seed: seed)
    let fleet = Fleet(in: world, hosts: 4, network: .wired)
    world.run(until: .seconds(10))
    let instant = try #require(fleet.hosts[0].displayed()) + .seconds(5)
    for host in fleet.hosts {
      host.attempt { node, _ in
        try node.schedule(AgendaID(value: 1), at: instant)
        try node.schedule(AgendaID(value: 2), at: instant + .milliseconds(1))
        try node.schedule(AgendaID(value: 3), at: instant)
        let cancelled = node.cancel(AgendaID(value: 2))
        #expect(cancelled)
        return []
      }
    }
    world.run(until: .seconds(20))
    let fired = fleet.hosts.map { host in
      host.events { action -> AgendaID? in
        if case .fire(let id) = action { id } else { nil }
      }
    }
    #expect(fired.allSatisfy { $0.map(\.value.value) == [1, 3] }, "seed \(seed)")
    let times = fired.compactMap { $0.first?.time }
    let earliest = try #require(times.min())
    let latest = try #require(times.max())
    #expect(latest - earliest < .microseconds(20), "seed \(seed): \(latest - earliest)")
    #expect((earliest - .seconds(15)).inSeconds.magnitude < 0.001, "seed \(seed): \(earliest)")
  }

  @Test("what has passed fires at once; without time nothing can be scheduled")
  func past() throws {
    let world = World(seed: 93)
    let fleet = Fleet(in: world, hosts: 1, network: .wired)
    world.run(until: .milliseconds(100))
    #expect(throws: PeerNodeError.unsynchronized) {
      try fleet.hosts[0].use { node, _ in
        try node.schedule(AgendaID(value: 1), at: .sessionStart)
        return []
      }
    }
    world.run(until: .seconds(2))
    fleet.hosts[0].attempt { node, _ in
      try node.schedule(AgendaID(value: 1), at: .sessionStart)
      return []
    }
    world.run(until: .milliseconds(2001))
    let fired = fleet.hosts[0].events { action -> AgendaID? in
      if case .fire(let id) = action { id } else { nil }
    }
    #expect(fired.map(\.value.value) == [1])
  }

  @Test("takes as many as its limit, at the limit and one beyond")
  func limit() throws {
    var agenda = Agenda(limit: 3)
    for number in 0..<3 {
      try agenda.schedule(AgendaID(value: UInt64(number)), at: .sessionStart)
    }
    #expect(throws: PeerNodeError.agendaFull(limit: 3)) {
      try agenda.schedule(AgendaID(value: 3), at: .sessionStart)
    }
    try agenda.schedule(AgendaID(value: 2), at: .sessionStart + .seconds(1))
    let due = agenda.due(at: .sessionStart)
    #expect(due == [AgendaID(value: 0), AgendaID(value: 1)])
    #expect(agenda.next == .sessionStart + .seconds(1))
    #expect(agenda.count == 1)
  }
}
