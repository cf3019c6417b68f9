import Simulation
import TestLanes
import Testing
import Units

@testable import PeerCore

/// Budgets: two of one id are told apart within 5 s; the others keep coordinator, term and session,
/// and their time stays on its line.
@Suite("Two hosts of one id", .computing)
struct TwinTests {
  typealias Claim = TwinWatch.Claim

  private func claim(_ activity: Activity, _ uptime: UInt32, count: UInt32 = 1) -> Claim {
    Claim(
      activity: activity, uptimeSeconds: uptime,
      incarnation: Incarnation(count: count, nonce: 5))
  }

  @Test("whoever is busy keeps its id, else the older one, else the lesser run")
  func order() {
    #expect(claim(.idle, 900).yields(to: claim(.rolling, 1)))
    #expect(!claim(.armed, 1).yields(to: claim(.idle, 900)))
    #expect(!claim(.rolling, 1).yields(to: claim(.rolling, 900)))
    #expect(claim(.idle, 10).yields(to: claim(.idle, 13)))
    #expect(!claim(.idle, 13).yields(to: claim(.idle, 10)))
    #expect(claim(.idle, 12, count: 2).yields(to: claim(.idle, 10, count: 1)))
    #expect(!claim(.idle, 10, count: 1).yields(to: claim(.idle, 12, count: 2)))
  }

  @Test("sixteen are reported, and each once")
  func limit() {
    var watch = TwinWatch()
    let reported = (0..<20).count { nonce in
      watch.meet(Incarnation(count: 1, nonce: UInt32(nonce)))
    }
    #expect(reported == TwinWatch.mostTwins)
    let again = watch.meet(Incarnation(count: 1, nonce: 0))
    #expect(!again)
  }

  @Test(
    "a copy that comes during a take takes another id and joins; nothing changes for the others",
    arguments: [0, 1, 2])
  func copied(original: Int) throws {
    let world = World(seed: 331 + UInt64(original))
    var ids = [1, 2, 3].map { PeerID(high: $0, low: 0) }
    ids.append(ids[original])
    let fleet = Fleet(
      in: world, hosts: 4, network: .wired, starts: [.zero, .zero, .zero, .seconds(8)], ids: ids)
    world.run(until: .seconds(4))
    for host in fleet.hosts.prefix(3) {
      host.use { node, now in node.setActivity(.rolling, at: now) }
    }
    world.run(until: .seconds(7))
    let (term, session) = (fleet.hosts[0].node?.term, fleet.hosts[0].node?.session?.id)
    let line = SharedLine(
      map: try #require(fleet.hosts[0].node?.clockMap), oscillator: fleet.hosts[0].oscillator)
    world.every(.milliseconds(20)) {
      for host in fleet.hosts.prefix(3) { line.look(at: host, in: world) }
    }
    world.run(until: .seconds(13))
    #expect(fleet.hosts.prefix(3).map(\.peer) == Array(ids.prefix(3)))
    #expect(fleet.hosts[3].peer != ids[original])
    #expect(fleet.hosts.allSatisfy { $0.node?.coordinator == ids[0] })
    #expect(fleet.hosts.allSatisfy { $0.node?.term == term })
    #expect(fleet.hosts.allSatisfy { $0.node?.session?.id == session })
    #expect(fleet.isConnected)
    for host in fleet.hosts.prefix(3) {
      let restarts = host.events { if case .note(.restarted) = $0 { true } else { nil } }
      #expect(restarts.isEmpty, "host \(host.number) took the copy for a restart")
    }
    #expect(line.worst < 20_000, "off by \(line.worst) ns")
    #expect(line.isMonotone)
  }

  @Test("both roll, on two sides of a split: neither changes until its take is closed")
  func busy() {
    let world = World(seed: 335)
    let ids = [1, 2, 2].map { PeerID(high: $0, low: 0) }
    let fleet = Fleet(in: world, hosts: 3, network: .wired, ids: ids)
    fleet.split([2])
    world.run(until: .seconds(4))
    for host in fleet.hosts { host.use { node, now in node.setActivity(.rolling, at: now) } }
    fleet.heal()
    world.run(until: .seconds(15))
    #expect(fleet.hosts.map(\.peer) == ids)
    fleet.hosts[2].use { node, now in node.setActivity(.idle, at: now) }
    world.run(until: .seconds(25))
    #expect(fleet.hosts[1].peer == ids[1])
    #expect(fleet.hosts[2].peer != ids[1])
    #expect(fleet.isConnected)
  }
}
