import PeerCore
import Sealing
import Simulation
import TestLanes
import Testing
import Units

@Suite("Under adverse conditions", .computing)
struct AdverseTests {
  @Test(
    "a third of all packets lost: still one coordinator and time",
    arguments: [61, 62, 63] as [UInt64])
  func loss(seed: UInt64) throws {
    let world = World(seed: seed)
    let fleet = Fleet(in: world, hosts: 6, network: .wired.losing(0.3))
    world.run(until: .seconds(60))
    #expect(fleet.coordinators.count == 1, "seed \(seed)")
    let synced = try #require(fleet.synchronized(within: .microseconds(20)), "seed \(seed)")
    #expect(synced < .seconds(5), "seed \(seed): in sync at \(synced)")
    #expect(fleet.worstSyncError(after: synced) < .microseconds(40), "seed \(seed)")
    let late = fleet.samples(after: .seconds(5))
    #expect(late.allSatisfy { $0.coordinators == 1 }, "seed \(seed): never two, never none")
  }

  @Test("packets that arrive twice have one effect", arguments: [64] as [UInt64])
  func duplicates(seed: UInt64) throws {
    let world = World(seed: seed)
    var network = NetworkConditions.wired
    network.duplicates = 0.5
    let fleet = Fleet(in: world, hosts: 3, network: network)
    world.run(until: .seconds(10))
    #expect(fleet.isConnected, "seed \(seed)")
    #expect(fleet.worstSyncError(after: .seconds(3)) < .microseconds(20), "seed \(seed)")
    let refused = fleet.hosts[0].node?.refusals[.replayed] ?? 0
    #expect(refused > 20, "seed \(seed): \(refused)")
  }

  @Test("without multicast hosts find each other through a seed", arguments: [65] as [UInt64])
  func seeds(seed: UInt64) throws {
    let world = World(seed: seed)
    var network = NetworkConditions.wired
    network.hasMulticast = false
    let fleet = Fleet(in: world, hosts: 3, network: network, seeds: [0])
    world.run(until: .seconds(10))
    #expect(fleet.coordinator == 0, "seed \(seed)")
    let synced = try #require(fleet.synchronized(within: .microseconds(20)), "seed \(seed)")
    #expect(synced < .seconds(3), "seed \(seed): in sync at \(synced)")
  }

  @Test("without the kernel's stamps the bound still holds", arguments: [66] as [UInt64])
  func userSpaceStamps(seed: UInt64) throws {
    let world = World(seed: seed)
    var network = NetworkConditions.loopback
    network.hasKernelStamps = false
    let fleet = Fleet(in: world, hosts: 3, network: network)
    world.run(until: .seconds(30))
    let synced = try #require(fleet.synchronized(within: .microseconds(50)), "seed \(seed)")
    #expect(synced < .seconds(3), "seed \(seed): in sync at \(synced)")
    #expect(fleet.shareWithinBound(after: synced) >= 0.99, "seed \(seed)")
    #expect(fleet.hosts[1].node?.syncStatus(at: fleet.hosts[1].clock).stampKind == .userSpace)
  }

  @Test("sealed, as on every real network, it is the same", arguments: [67] as [UInt64])
  func sealed(seed: UInt64) throws {
    let world = World(seed: seed)
    let key = try #require(SecretKey([UInt8](repeating: 7, count: 32)))
    let fleet = Fleet(
      in: world, hosts: 3, network: .wired, cipher: .sealed(GroupKeys(root: key)))
    world.run(until: .seconds(10))
    #expect(fleet.isConnected, "seed \(seed)")
    #expect(fleet.worstSyncError(after: .seconds(3)) < .microseconds(20), "seed \(seed)")
  }

  @Test("without multicast, those who know one and the same host meet through it")
  func introduced() {
    let world = World(seed: 70)
    var network = NetworkConditions.wired
    network.hasMulticast = false
    let fleet = Fleet(in: world, hosts: 5, network: network, seeds: [2])
    world.run(until: .seconds(15))
    #expect(fleet.isConnected)
    #expect(fleet.coordinator != nil)
    let before = fleet.hosts.map(\.traffic)
    world.run(until: .seconds(25))
    for (host, earlier) in zip(fleet.hosts, before) {
      let bytes = host.traffic.since(earlier).sentBytes
      #expect(bytes < 150_000, "host \(host.number) sent \(bytes) bytes in 10 s")
    }
  }

  @Test("a twin is noticed by the one whose id it has", arguments: [68] as [UInt64])
  func twin(seed: UInt64) {
    let world = World(seed: seed)
    let id = PeerID(high: 7, low: 7)
    let fleet = Fleet(
      in: world, hosts: 3, network: .wired, ids: [id, PeerID(high: 9, low: 9), id])
    world.run(until: .seconds(3))
    for number in [0, 2] {
      let twins = fleet.hosts[number].events { action -> Bool? in
        if case .note(.twin) = action { true } else { nil }
      }
      #expect(twins.count == 1, "seed \(seed), host \(number)")
      #expect(twins.first.map { $0.time < .seconds(1) } ?? false, "seed \(seed)")
    }
  }

  @Test("an hour passes in virtual time, and the bound holds in 99 of 100 readings")
  func hour() {
    let world = World(seed: 69)
    let fleet = Fleet(in: world, hosts: 2, network: .wired)
    world.run(until: .seconds(1800))
    #expect(fleet.worstSyncError(after: .seconds(3)) < .microseconds(20))
    let samples = fleet.samples(after: .seconds(3))
    let held = samples.count { sample in
      sample.errors.allSatisfy { $0.value.magnitude <= sample.jitterBounds[$0.key] ?? 0 }
    }
    #expect(Double(held) >= 0.99 * Double(samples.count), "\(held) of \(samples.count)")
  }
}
