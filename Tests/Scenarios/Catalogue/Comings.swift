internal import PeerCore
internal import Simulation
internal import Units

// Hosts and groups that come later.
extension Scenario {
  static let comings = [
    Scenario(
      "late-start", "hosts start one after another",
      Setting {
        $0.hosts = 5
        $0.starts = [0, 3, 6, 9, 12]
      }, seconds: 22, budget: Budget(20)
    ) { $0.chatter(from: 4, until: 16, every: 1) },
    Scenario(
      "late-joiner", "a host joins a take two minutes later",
      Setting {
        $0.starts = [0, 0, 120]
        $0.rollsFrom = 4
      }, seconds: 130, budget: Budget(20), quickSeeds: 2, play: joinsLate),
    Scenario(
      "newcomer", "a host with the smallest id joins a take",
      Setting {
        $0.ids = [3, 2, 1]
        $0.starts = [0, 0, 10]
        $0.rollsFrom = 5
      }, seconds: 20, budget: Budget(20)
    ) { stage in
      stage.at(8) { stage in
        let term = stage.fleet.hosts[0].node?.term
        stage.expect(at: 19, "nobody obeys another term") {
          $0.fleet.hosts.allSatisfy { $0.node?.term == term }
        }
      }
    },
    Scenario(
      "twin", "the copy of a host, id and all, is started beside a take",
      Setting {
        $0.hosts = 4
        $0.ids = [1, 2, 3, 3]
        $0.sharesIDs = true
        $0.starts = [0, 0, 0, 10]
      }, seconds: 22, budget: Budget(20), quickSeeds: 5
    ) { meetsTwin($0, of: 2) },
    Scenario(
      "coordinator-twin", "the copy of the coordinator is started beside a take",
      Setting {
        $0.hosts = 4
        $0.ids = [1, 2, 3, 1]
        $0.sharesIDs = true
        $0.starts = [0, 0, 0, 10]
      }, seconds: 22, budget: Budget(20), quickSeeds: 5
    ) { meetsTwin($0, of: 0) },
    Scenario(
      "groups-meet", "two groups that never met are joined, while idle",
      Setting { $0.hosts = 5 }, seconds: 24, budget: Budget(20)
    ) { stage in
      stage.fleet.split([0, 1])
      stage.at(stage.random(in: 12...14)) { $0.fleet.heal() }
    },
    Scenario(
      "rolling-group-met", "a take rolls in the smaller of two groups that meet",
      Setting { $0.hosts = 5 }, seconds: 26, budget: Budget(50), quickSeeds: 6
    ) { stage in
      stage.fleet.split([0, 1])
      stage.at(6) { $0.roll([stage.random(below: 2)]) }
      stage.at(12 + stage.random(in: 0...3)) { stage in
        let session = stage.fleet.hosts[0].node?.session
        stage.fleet.heal()
        stage.expect(at: 25, "all live in the session of the take") {
          $0.fleet.hosts.allSatisfy { $0.node?.session == session }
        }
      }
    },
    Scenario(
      "rolling-groups-meet", "takes roll in both groups: each keeps its session until its end",
      Setting { $0.hosts = 4 }, seconds: 40, budget: Budget(1000), quickSeeds: 6
    ) { stage in
      stage.fleet.split([0])
      stage.at(6) { $0.roll() }
      stage.at(12 + stage.random(in: 0...3)) { $0.fleet.heal() }
      stage.at(24) { $0.rest() }
      stage.expect(at: 30, "all live in one session after the takes") {
        Set($0.fleet.hosts.map { $0.node?.session?.id }).count == 1
      }
    },
    Scenario(
      "split-and-heal", "a group parts in a take, and meets again",
      Setting {
        $0.hosts = 5
        $0.rollsFrom = 4
      }, seconds: 40, budget: Budget(40, drift: 60), quickSeeds: 8
    ) { stage in
      stage.chatter(from: 5, until: 34, every: 1)
      stage.at(12) { $0.fleet.split([0, 1 + $0.random(below: 4)]) }
      stage.at(28) { $0.fleet.heal() }
    },
  ]

  /// A host joins at 120 s, or whenever it starts: it is to find the session of the others.
  @Sendable static func joinsLate(_ stage: Stage) {
    let start = stage.scenario.setting.starts.max() ?? 0
    stage.at(start - 1) { stage in
      let session = stage.fleet.hosts[0].node?.session
      stage.expect(at: start + 2, "the newcomer has the others' session and timecode anchor") {
        $0.fleet.hosts.last?.node?.session == session && session != nil
      }
    }
  }

  /// Host 3 starts at 10 s as the twin of another one: it is to take another id, and to change
  /// nothing in what the others do.
  @Sendable private static func meetsTwin(_ stage: Stage, of original: Int) {
    stage.at(4) { $0.roll([0, 1, 2]) }
    stage.at(9) { stage in
      let host = stage.fleet.hosts[original]
      let before = (host.peer, host.node?.term, host.node?.session)
      stage.expect(at: 21.9, "the twin has taken another id, and all else is as it was") { stage in
        let hosts = stage.fleet.hosts
        return host.peer == before.0 && hosts[3].peer != host.peer
          && hosts.allSatisfy { $0.node?.term == before.1 && $0.node?.session == before.2 }
      }
    }
  }
}
