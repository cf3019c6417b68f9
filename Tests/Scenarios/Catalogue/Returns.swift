internal import PeerCore
internal import Simulation
internal import Units

// Hosts that stop and come back: restarts, boots, sleep.
extension Scenario {
  static let returns = [
    Scenario(
      "all-restarted", "all daemons crash, and start again in the same boot 6 s later", .rolling,
      seconds: 45, budget: Budget(20, drift: 60)
    ) { stage in
      stage.at(30) { stage in
        let session = stage.fleet.hosts[0].node?.session
        for host in stage.fleet.hosts { host.stop(crash: true) }
        stage.expect(at: 44, "all are in the session of before") {
          $0.fleet.hosts.allSatisfy { $0.node?.session == session }
        }
      }
      for number in 0..<3 {
        stage.at(36 + stage.random(in: 0...0.5)) {
          $0.fleet.hosts[number].start(remembering: true, activity: .rolling)
        }
      }
    },
    Scenario(
      "reboot", "a host's power fails during a take; it boots 6 s later", .rolling, seconds: 32,
      budget: Budget(20, drift: 20)
    ) { stage in
      let victim = stage.random(below: 3)
      stage.at(15) { stage in
        let session = stage.fleet.hosts[victim].node?.session
        stage.fleet.hosts[victim].reboot(after: .seconds(6))
        stage.expect(at: 31, "it is in the session of before") {
          $0.fleet.hosts[victim].node?.session == session
        }
      }
    },
    Scenario(
      "all-rebooted", "the power fails for all hosts: a new session begins", seconds: 26,
      budget: Budget(20)
    ) { stage in
      stage.at(10) { stage in
        for host in stage.fleet.hosts {
          host.reboot(after: .milliseconds(4000 + Int64(1000 * stage.world.random())))
        }
      }
      stage.expect(at: 25.9, "the new session lies right in civil time", isCivil)
    },
    Scenario(
      "suspend", "a host sleeps for 8 s", seconds: 32, budget: Budget(20), quickSeeds: 8
    ) { stage in
      let sleeper = stage.random(below: 3)
      stage.at(stage.random(in: 12...13)) { $0.fleet.hosts[sleeper].suspend() }
      stage.at(21) { $0.fleet.hosts[sleeper].resume() }
    },
    Scenario(
      "short-suspend", "a host sleeps for less than a second", seconds: 24, budget: Budget(20)
    ) { stage in
      let sleeper = stage.random(below: 3)
      stage.at(12) { $0.fleet.hosts[sleeper].suspend() }
      stage.at(12 + stage.random(in: 0.2...0.9)) { $0.fleet.hosts[sleeper].resume() }
    },
    Scenario(
      "all-suspended", "all hosts sleep, and wake one after another", seconds: 34,
      budget: Budget(20), quickSeeds: 4
    ) { stage in
      for number in 0..<3 {
        stage.at(12 + stage.random(in: 0...1)) { $0.fleet.hosts[number].suspend() }
        stage.at(20 + stage.random(in: 0...3)) { $0.fleet.hosts[number].resume() }
      }
      stage.expect(at: 33.9, "the new session lies right in civil time", isCivil)
    },
    Scenario(
      "lone-sleeper", "a host that rolls by itself sleeps, and keeps its session by its wall clock",
      Setting {
        $0.hosts = 2
        $0.starts = [0, 14]
        $0.rollsFrom = 4
      }, seconds: 22, budget: Budget(20), quickSeeds: 3
    ) { stage in
      stage.at(6) { stage in
        let session = stage.fleet.hosts[0].node?.session
        stage.fleet.hosts[0].suspend()
        stage.at(10) { $0.fleet.hosts[0].resume() }
        stage.expect(at: 21.9, "both live in the session of before") {
          $0.fleet.hosts.allSatisfy { $0.node?.session == session }
        }
        stage.expect(at: 21.9, "the session lies right in civil time", isCivil)
      }
    },
  ]

  /// Whether the session's civil time is what the hosts' wall clocks say, which NTP keeps to 50 ms.
  @Sendable private static func isCivil(_ stage: Stage) -> Bool {
    stage.fleet.hosts.allSatisfy { host in
      guard let node = host.node, let session = node.session, let map = node.clockMap else {
        return false
      }
      let civil = session.unixNanoseconds(at: map.shared(at: host.clock))
      return (civil - host.wall.unixNanoseconds).magnitude < 200_000_000
    }
  }
}
