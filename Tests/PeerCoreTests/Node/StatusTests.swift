import PeerCore
import Simulation
import TestLanes
import Testing
import Units

@Suite("Status boards", .computing)
struct StatusTests {
  @Test(
    "converge at all peers, removals too, through loss and a cut", arguments: [0, 0.3] as [Double])
  func converge(loss: Double) throws {
    let world = World(seed: 81)
    let fleet = Fleet(in: world, hosts: 4, network: .wireless.losing(loss))
    world.run(until: .seconds(8))
    for number in 0..<50 {
      world.schedule(at: .seconds(8) + .milliseconds(30 * Int64(number))) {
        fleet.hosts[2].attempt { node, now in
          try node.setStatus([UInt8(number)], forKey: "key\(number % 7)", at: now)
        }
      }
    }
    world.schedule(at: .seconds(8.5)) { fleet.cut(0, 2) }
    world.schedule(at: .seconds(9.9)) {
      fleet.hosts[2].attempt { node, now in node.removeStatus(key: "key3", at: now) }
    }
    world.schedule(at: .seconds(14)) { fleet.heal() }
    world.run(until: .seconds(22))
    let peer = fleet.hosts[2].peer
    let truth = try #require(fleet.hosts[2].node?.status(of: peer))
    #expect(truth.count == 6)
    for number in [0, 1, 3] {
      #expect(fleet.hosts[number].node?.status(of: peer) == truth, "host \(number)")
    }
  }

  @Test("a change is seen within 100 ms, and changes are gathered")
  func push() {
    let world = World(seed: 82)
    let fleet = Fleet(in: world, hosts: 2, network: .wired)
    world.run(until: .seconds(5))
    for number in 0..<10 {
      fleet.hosts[0].attempt { node, now in
        try node.setStatus([1], forKey: "k\(number)", at: now)
      }
    }
    world.run(until: .seconds(6))
    let seen = fleet.hosts[1].events { action -> PeerID? in
      if case .statusChanged(let peer) = action { peer } else { nil }
    }
    #expect(seen.count == 1)
    #expect(seen.first.map { $0.time < .seconds(5.1) } ?? false)
    #expect(fleet.hosts[1].node?.status(of: fleet.hosts[0].peer).count == 10)
  }

  @Test("a late joiner gets the whole board, one of many large values")
  func late() {
    let world = World(seed: 83)
    let fleet = Fleet(in: world, hosts: 2, network: .wired, starts: [.zero, .seconds(5)])
    world.run(until: .seconds(1))
    for number in 0..<64 {
      fleet.hosts[0].attempt { node, now in
        try node.setStatus([UInt8](repeating: 3, count: 16_384), forKey: "k\(number)", at: now)
      }
    }
    world.run(until: .seconds(8))
    #expect(fleet.hosts[1].node?.status(of: fleet.hosts[0].peer).count == 64)
  }

  @Test("the limits of keys and values, at the limit and one beyond")
  func limits() throws {
    var board = StatusBoard(debounce: .milliseconds(20))
    let now = HostInstant(nanoseconds: 0)
    for number in 0..<64 { try board.set([1], forKey: "k\(number)", at: now) }
    #expect(throws: PeerNodeError.tooManyKeys(limit: 64)) {
      try board.set([1], forKey: "one more", at: now)
    }
    try board.set([2], forKey: "k0", at: now)
    board.remove(key: "k1", at: now)
    try board.set([1], forKey: "one more", at: now)
    #expect(throws: PeerNodeError.keyTooLong(bytes: 65)) {
      try board.set([1], forKey: String(repeating: "k", count: 65), at: now)
    }
    #expect(throws: PeerNodeError.valueTooLong(bytes: 16_385)) {
      try board.set([UInt8](repeating: 0, count: 16_385), forKey: "k0", at: now)
    }
    #expect(board.generation == 67)
    let before = board.generation
    try board.set([2], forKey: "k0", at: now)
    #expect(board.generation == before, "the same value again is no change")
  }
}
