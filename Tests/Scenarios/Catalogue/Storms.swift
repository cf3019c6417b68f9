internal import PeerCore
internal import Simulation
internal import Units

// Everything at once, as chance has it; then peace.
extension Scenario {
  static let storms = [
    storm(hosts: 2, seconds: 40, quickSeeds: 20),
    storm(hosts: 5, seconds: 40, quickSeeds: 10),
    storm(hosts: 12, seconds: 30, quickSeeds: 3),
    Scenario(
      "storm-twins",
      "a storm of five hosts, in which some start from copies of others' disks, ids and all",
      Setting { $0.hosts = 5 }, seconds: 54, budget: Budget(200, settlesIn: 4), quickSeeds: 5
    ) { stage in
      rage(stage, until: 40)
      clone(stage, at: 5, until: 40)
      // Who is busy keeps its id: of two that roll one has to come to rest before they part.
      stage.at(40) { $0.rest() }
      stage.at(44) { makePeace($0) }
    },
  ]

  private static func storm(hosts: Int, seconds: Double, quickSeeds: Int) -> Scenario {
    Scenario(
      "storm-\(hosts)",
      "\(hosts) hosts crash, freeze, sleep, part, lose and double packets, and command at once",
      Setting { $0.hosts = hosts }, seconds: seconds + 10, budget: Budget(200, settlesIn: 4),
      quickSeeds: quickSeeds
    ) { stage in rage(stage, until: seconds) }
  }

  private static func rage(_ stage: Stage, until end: Double) {
    stage.chatter(from: 4, until: end, every: 0.7)
    stage.takes(from: 4, until: end, every: 1)
    strike(stage, at: 5, until: end)
    stage.at(end) { makePeace($0) }
  }

  /// Some host starts from a copy of another one's disk, now and then.
  private static func clone(_ stage: Stage, at time: Double, until end: Double) {
    stage.at(time) { stage in
      let hosts = stage.fleet.hosts
      let number = stage.random(below: hosts.count)
      let other = (number + 1 + stage.random(below: hosts.count - 1)) % hosts.count
      stage.referee.narrate("host \(number) starts as a copy of host \(other)")
      hosts[number].stop(crash: true)
      hosts[number].copyDisk(of: hosts[other])
      hosts[number].start(remembering: true)
      let next = stage.now + stage.random(in: 2...10)
      if next < end { clone(stage, at: next, until: end) }
    }
  }

  private static func strike(_ stage: Stage, at time: Double, until end: Double) {
    stage.at(time) { stage in
      strike(stage)
      let next = stage.now + stage.random(in: 0.05...2.5)
      if next < end { strike(stage, at: next, until: end) }
    }
  }

  private static func strike(_ stage: Stage) {
    let fleet = stage.fleet
    let number = stage.random(below: fleet.hosts.count)
    let host = fleet.hosts[number]
    let kind = stage.random(below: 12)
    stage.referee.narrate("strike \(kind) at host \(number)")
    switch kind {
    case 0: host.stop(crash: stage.random(below: 2) == 0)
    case 1, 2: revive(host, in: stage)
    case 3: host.freeze()
    case 4: host.suspend()
    case 5: if host.isUp { host.reboot(after: .seconds(1 + stage.random(below: 4))) }
    case 6: fleet.split([number])
    case 7: fleet.cut(number, (number + 1) % fleet.hosts.count)
    case 8: fleet.heal()
    case 9: fleet.conditions = conditions(in: stage)
    case 10: host.stepWall(by: .milliseconds(stage.random(below: 200) - 100))
    default: stage.random(below: 2) == 0 ? stage.roll([number]) : stage.rest([number])
    }
  }

  private static func revive(_ host: SimulatedHost, in stage: Stage) {
    if host.isUp {
      host.thaw()
      host.resume()
    } else {
      host.start(remembering: stage.random(below: 4) > 0)
    }
  }

  private static func conditions(in stage: Stage) -> NetworkConditions {
    NetworkConditions(
      delay: 60_000, jitter: 15_000, loss: stage.random(in: 0...0.3),
      duplicates: stage.random(in: 0...0.3), reordered: stage.random(in: 0...0.3))
  }

  private static func makePeace(_ stage: Stage) {
    stage.fleet.conditions = .wired
    stage.fleet.heal()
    for host in stage.fleet.hosts { revive(host, in: stage) }
  }
}
