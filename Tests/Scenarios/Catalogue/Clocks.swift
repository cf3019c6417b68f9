internal import PeerCore
internal import Simulation
internal import Units

// Crystals, and walls clocks: chrony's 001-defaults, 003-largefreqoffset, 004-largetimeoffset,
// 007-largewander, 109-makestep.
extension Scenario {
  static let clocks = [
    Scenario(
      "defaults", "three hosts, wired, idle", seconds: 40, budget: Budget(20)
    ) { $0.chatter(from: 4, until: 34, every: 2) },
    Scenario(
      "rolling", "three hosts, wired, in a take", .rolling, seconds: 25, budget: Budget(8)
    ) { $0.chatter(from: 4, until: 19, every: 2) },
    Scenario(
      "large-offset", "clocks that began up to 28 years apart",
      Setting { $0.crystals = CrystalSpread(latestOriginSeconds: 9e8) }, seconds: 15,
      budget: Budget(20), quickSeeds: 3
    ) { _ in },
    Scenario(
      "large-rate", "crystals up to 180 ppm off",
      Setting {
        $0.crystals = CrystalSpread(ratePartsPerMillion: 180)
        $0.rollsFrom = 4
      }, seconds: 20, budget: Budget(10)
    ) { _ in },
    Scenario(
      "large-wander", "crystals that swing by 1 ppm within a minute",
      Setting {
        $0.crystals = CrystalSpread(wanderPartsPerMillion: 1, wanderPeriods: 40...80)
        $0.rollsFrom = 4
      }, seconds: 45, budget: Budget(15)
    ) { _ in },
    Scenario(
      "idle-wander", "crystals that swing by 0.5 ppm, measured every half minute",
      Setting { $0.crystals = CrystalSpread(wanderPartsPerMillion: 0.5, wanderPeriods: 300...600) },
      seconds: 240, budget: Budget(30), quickSeeds: 1
    ) { _ in },
  ]

  static let walls = [
    Scenario(
      "wall-step", "wall clocks are set by 5 s, forward and back, during a take", .rolling,
      seconds: 26, budget: Budget(8)
    ) { stage in
      stage.at(10) { $0.fleet.hosts[1].stepWall(by: .seconds(5)) }
      stage.at(13) { $0.fleet.hosts[0].stepWall(by: .seconds(-5)) }
      stage.at(16.0001) { $0.fleet.hosts[1].stepWall(by: .microseconds(-700)) }
      stage.at(19.0001) { $0.fleet.hosts[0].stepWall(by: .microseconds(700)) }
    },
    Scenario(
      "wall-slew", "wall clocks are slewed by 500 ppm, either way, during a take", .rolling,
      seconds: 26, budget: Budget(8)
    ) { stage in
      stage.at(8) { $0.fleet.hosts[1].slewWall(to: ClockRate(partsPerMillion: 500)) }
      stage.at(12) { $0.fleet.hosts[0].slewWall(to: ClockRate(partsPerMillion: -500)) }
      stage.at(18) { $0.fleet.hosts[1].slewWall(to: .zero) }
    },
    Scenario(
      "wall-wild", "the coordinator's wall clock is ten years off, and set during a take",
      Setting {
        $0.starts = [1]
        $0.rollsFrom = 5
      }, seconds: 22, budget: Budget(8)
    ) { stage in
      stage.at(0.5) { $0.fleet.hosts[0].stepWall(by: .seconds(-10 * 365 * 86_400)) }
      stage.at(6) { stage in
        let sessions = stage.fleet.hosts.map { $0.node?.session }
        stage.at(12) { $0.fleet.hosts[0].stepWall(by: .seconds(10 * 365 * 86_400)) }
        stage.expect(at: 22, "the session and its place in civil time stay what they were") {
          $0.fleet.hosts.map { $0.node?.session } == sessions
        }
      }
    },
  ]
}
