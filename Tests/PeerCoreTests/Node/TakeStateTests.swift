import PeerCore
import Simulation
import TestLanes
import Testing
import Units

/// Budgets: who joins or comes back knows the take as the others do within 5 s.
@Suite("Takes reach whoever was not there", .computing)
struct TakeStateTests {
  /// The takes that a host's user was told of, in order.
  private func told(_ host: SimulatedHost) -> [TakeState] {
    host.events { if case .take(let take) = $0 { take } else { nil } }.map(\.value)
  }

  private func begin(_ fleet: Fleet, on number: Int) throws -> TakeState {
    let session = try #require(fleet.hosts[number].node?.session?.id)
    let shown = try #require(fleet.hosts[number].displayed())
    let take = TakeState(
      session: session, id: TakeID(high: 7, low: 7), number: 1, name: "scene", t0: shown)
    fleet.hosts[number].use { node, now in node.noteTake(take, at: now) }
    return take
  }

  private func stop(_ take: TakeState, on host: SimulatedHost) throws -> TakeState {
    let shown = try #require(host.displayed())
    let stopped = TakeState(
      session: take.session, id: take.id, number: take.number, name: take.name, t0: take.t0,
      t1: shown)
    host.use { node, now in node.noteTake(stopped, at: now) }
    return stopped
  }

  @Test("a host that joins during the take learns it once it can read its instants")
  func lateJoiner() throws {
    let world = World(seed: 291)
    let fleet = Fleet(
      in: world, hosts: 3, network: .wired, starts: [.zero, .zero, .seconds(60)])
    world.run(until: .seconds(5))
    let take = try begin(fleet, on: 1)
    world.run(until: .seconds(6))
    #expect(told(fleet.hosts[0]) == [take])
    #expect(told(fleet.hosts[1]).isEmpty, "it said so itself")
    world.run(until: .seconds(65))
    #expect(told(fleet.hosts[2]) == [take])
    #expect(fleet.hosts[2].node?.session?.id == take.session)
  }

  @Test("a host that was cut off when the take was stopped learns when it ended")
  func cutOff() throws {
    let world = World(seed: 292)
    let fleet = Fleet(in: world, hosts: 3, network: .wired)
    world.run(until: .seconds(5))
    let take = try begin(fleet, on: 0)
    world.run(until: .seconds(8))
    fleet.split([2])
    world.run(until: .seconds(20))
    let stopped = try stop(take, on: fleet.hosts[0])
    world.run(until: .seconds(30))
    #expect(told(fleet.hosts[2]) == [take])
    fleet.heal()
    world.run(until: .seconds(35))
    #expect(told(fleet.hosts[2]) == [take, stopped])
    #expect(told(fleet.hosts[1]) == [take, stopped])
  }

  @Test("stopped on both sides of a split: the later end holds for all")
  func stoppedTwice() throws {
    let world = World(seed: 293)
    let fleet = Fleet(in: world, hosts: 4, network: .wired)
    world.run(until: .seconds(5))
    let take = try begin(fleet, on: 0)
    world.run(until: .seconds(8))
    fleet.split([2, 3])
    world.run(until: .seconds(20))
    _ = try stop(take, on: fleet.hosts[0])
    world.run(until: .seconds(22))
    let last = try stop(take, on: fleet.hosts[3])
    fleet.heal()
    world.run(until: .seconds(30))
    #expect(fleet.hosts.allSatisfy { $0.node?.takes == [last] })
    #expect(told(fleet.hosts[0]).last == last)
    #expect(told(fleet.hosts[3]) == [take], "it ended the take itself, and later")
  }
}
