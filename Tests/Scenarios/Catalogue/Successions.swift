internal import PeerCore
internal import Simulation
internal import Units

// The coordinator fails during a take: chrony's 110-source changes, and what no server has to fear.
extension Scenario {
  private static let four = Setting {
    $0.hosts = 4
    $0.rollsFrom = 4
  }

  static let successions = [
    Scenario(
      "coordinator-dies", "the coordinator crashes", four, seconds: 22,
      budget: Budget(20, drift: 20), quickSeeds: 8
    ) { stage in
      stage.chatter(from: 5, until: 16, every: 1)
      stage.at(stage.random(in: 12...13)) { $0.fleet.hosts[0].stop(crash: true) }
    },
    Scenario(
      "coordinator-leaves", "the coordinator ends in good order", four, seconds: 20,
      budget: Budget(20, drift: 20)
    ) { stage in
      stage.at(stage.random(in: 12...13)) { $0.fleet.hosts[0].stop() }
    },
    Scenario(
      "coordinator-freezes", "the coordinator is stopped by SIGSTOP, and goes on 7 s later", four,
      seconds: 28, budget: Budget(20, drift: 20), quickSeeds: 8
    ) { stage in
      let time = stage.random(in: 12...13)
      stage.at(time) { $0.fleet.hosts[0].freeze() }
      stage.at(time + stage.random(in: 6...8)) { $0.fleet.hosts[0].thaw() }
      stage.expect(at: 27, "the successor leads") { $0.fleet.coordinator == 1 }
    },
    Scenario(
      "coordinator-hiccups", "the coordinator is stopped for a second, too short to be replaced",
      four, seconds: 20, budget: Budget(20, drift: 20)
    ) { stage in
      let time = stage.random(in: 10...11)
      stage.at(time) { $0.fleet.hosts[0].freeze() }
      stage.at(time + stage.random(in: 0.3...1.2)) { $0.fleet.hosts[0].thaw() }
      stage.expect(at: 19, "the coordinator leads still") { $0.fleet.coordinator == 0 }
    },
    Scenario(
      "coordinator-cut-off", "the coordinator loses its network for 8 s", four, seconds: 28,
      budget: Budget(20, drift: 20), quickSeeds: 8
    ) { stage in
      stage.at(stage.random(in: 12...13)) { $0.fleet.split([0]) }
      stage.at(21) { $0.fleet.heal() }
    },
    Scenario(
      "coordinator-returns", "the coordinator crashes and starts again soon", four, seconds: 26,
      budget: Budget(20, drift: 20), quickSeeds: 8
    ) { stage in
      let time = stage.random(in: 12...13)
      stage.at(time) { $0.fleet.hosts[0].stop(crash: true) }
      stage.at(time + stage.random(in: 0.3...6)) {
        $0.fleet.hosts[0].start(remembering: true, activity: .rolling)
      }
    },
    Scenario(
      "successions", "three coordinators die, 3 s after one another",
      Setting {
        $0.hosts = 5
        $0.rollsFrom = 4
      }, seconds: 28, budget: Budget(30, drift: 30), quickSeeds: 6
    ) { stage in
      for victim in 0..<3 {
        stage.at(12 + 3 * Double(victim)) { $0.fleet.hosts[victim].stop(crash: true) }
      }
    },
    Scenario(
      "deserter", "a coordinator that was stopped for half a minute comes back", four,
      seconds: 55, budget: Budget(20, drift: 20), quickSeeds: 4
    ) { stage in
      stage.at(12) { $0.fleet.hosts[0].freeze() }
      stage.at(42 + stage.random(in: 0...1)) { $0.fleet.hosts[0].thaw() }
      stage.expect(at: 54, "the successor leads") { $0.fleet.coordinator == 1 }
    },
  ]
}
