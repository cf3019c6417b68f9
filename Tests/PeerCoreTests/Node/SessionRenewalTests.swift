import PeerCore
import Simulation
import TestLanes
import Testing
import Units

@Suite("A session is renewed", .computing)
struct SessionRenewalTests {
  private static let wall: Int64 = 1_795_996_800_000_000_000

  private func renew(_ host: SimulatedHost) -> PeerNodeError? {
    var refusal: PeerNodeError?
    host.use { node, now in
      do throws(PeerNodeError) {
        return try node.renewSession(
          wall: WallReading(unixNanoseconds: Self.wall, utcOffsetSeconds: 3600, host: now), at: now)
      } catch {
        refusal = error
        return []
      }
    }
    return refusal
  }

  @Test("all idle hosts are in the new session within a second, on its beginning")
  func renewed() throws {
    let world = World(seed: 231)
    let fleet = Fleet(in: world, hosts: 4, network: .wired)
    world.run(until: .seconds(100))
    let leader = try #require(fleet.coordinator)
    let old = fleet.hosts[0].node?.session?.id
    #expect(renew(fleet.hosts[leader]) == nil)
    let session = try #require(fleet.hosts[leader].node?.session)
    #expect(session.id != old)
    #expect(session.anchorUnixNanoseconds == Self.wall)
    #expect(session.utcOffsetSeconds == 3600)
    world.run(until: .seconds(101))
    #expect(fleet.hosts.allSatisfy { $0.node?.session == session })
    for host in fleet.hosts {
      let now = try #require(host.node?.clockMap?.shared(at: host.clock))
      #expect(
        abs(now.nanoseconds - SharedInstant.sessionStart.nanoseconds - 1_000_000_000) < 50_000)
    }
  }

  @Test("only by whoever keeps the time, and only while all are idle")
  func refused() throws {
    let world = World(seed: 232)
    let fleet = Fleet(in: world, hosts: 3, network: .wired)
    world.run(until: .seconds(10))
    let leader = try #require(fleet.coordinator)
    let other = (leader + 1) % 3
    #expect(renew(fleet.hosts[other]) == .notCoordinator)
    fleet.hosts[other].use { node, now in node.setActivity(.armed, at: now) }
    world.run(until: .seconds(12))
    #expect(renew(fleet.hosts[leader]) == .busy(fleet.hosts[other].peer))
    fleet.hosts[other].use { node, now in node.setActivity(.idle, at: now) }
    world.run(until: .seconds(14))
    fleet.hosts[leader].use { node, now in node.setActivity(.rolling, at: now) }
    #expect(renew(fleet.hosts[leader]) == .busy(fleet.hosts[leader].peer))
  }
}
