import PeerCore
import Simulation
import TestLanes
import Testing
import Units

/// Budgets: all in sync within 3 s of the last start; true error below 20 us.
@Suite("A fleet forms", .computing)
struct FormingTests {
  @Test(
    "three hosts are connected and in sync within 3 s of the last start",
    arguments: [1, 2, 3] as [UInt64])
  func three(seed: UInt64) throws {
    let world = World(seed: seed)
    let starts: [Duration] = [
      .zero, .milliseconds(300), .milliseconds(Int64(world.random() * 900)),
    ]
    let fleet = Fleet(in: world, hosts: 3, network: .loopback, starts: starts)
    let last = starts.max() ?? .zero
    world.run(until: last + .seconds(3))
    #expect(fleet.isConnected, "seed \(seed)")
    #expect(fleet.coordinators.count == 1, "seed \(seed)")
    world.run(until: .seconds(15))
    let synced = try #require(fleet.synchronized(within: .microseconds(20)), "seed \(seed)")
    #expect(synced < last + .seconds(2), "seed \(seed): in sync at \(synced)")
    #expect(fleet.worstSyncError(after: synced) < .microseconds(20), "seed \(seed)")
    #expect(fleet.shareWithinBound(after: synced) >= 0.99, "seed \(seed)")
  }

  @Test("a latecomer knows the others' labels as soon as it is connected")
  func labels() throws {
    let world = World(seed: 5)
    let starts: [Duration] = [.zero, .zero, .seconds(60)]
    let fleet = Fleet(in: world, hosts: 3, network: .wired, starts: starts)
    world.run(until: .seconds(61))
    for host in fleet.hosts {
      let peers = try #require(host.node?.peers)
      #expect(peers.count == 2)
      #expect(peers.allSatisfy { !$0.label.isEmpty }, "\(peers.map(\.label))")
    }
  }

  @Test("twelve hosts agree for a minute", arguments: [11] as [UInt64])
  func twelve(seed: UInt64) throws {
    let world = World(seed: seed)
    let starts = (0..<12).map { _ in Duration.milliseconds(Int64(world.random() * 2000)) }
    let fleet = Fleet(in: world, hosts: 12, network: .wired, starts: starts)
    let last = starts.max() ?? .zero
    world.run(until: last + .seconds(3))
    #expect(fleet.isConnected, "seed \(seed)")
    world.run(until: .seconds(60))
    let synced = try #require(fleet.synchronized(within: .microseconds(20)), "seed \(seed)")
    #expect(synced < last + .seconds(3), "seed \(seed): in sync at \(synced)")
    #expect(fleet.worstSyncError(after: synced) < .microseconds(20), "seed \(seed)")
    #expect(fleet.coordinators.count == 1, "seed \(seed)")
    #expect(fleet.shareWithinBound(after: synced) >= 0.99, "seed \(seed)")
  }
}
