internal import Simulation
internal import Units

// What does not arrive, or not as it was sent: chrony's 125-packetloss, 146-offline.
extension Scenario {
  private static func wired(_ change: (inout NetworkConditions) -> Void) -> Setting {
    var network = NetworkConditions.wired
    change(&network)
    return Setting {
      $0.network = network
      $0.rollsFrom = 4
    }
  }

  static let losses = [
    Scenario(
      "loss", "30 of 100 packets are lost", wired { $0.loss = 0.3 }, seconds: 30,
      budget: Budget(50), quickSeeds: 8
    ) { $0.chatter(from: 5, until: 24, every: 1) },
    Scenario(
      "reorder", "30 of 100 packets are overtaken by others", wired { $0.reordered = 0.3 },
      seconds: 25, budget: Budget(25)
    ) { $0.chatter(from: 5, until: 19, every: 1) },
    Scenario(
      "duplicates", "every second packet arrives twice", wired { $0.duplicates = 0.5 },
      seconds: 25, budget: Budget(25)
    ) { $0.chatter(from: 5, until: 19, every: 1) },
    Scenario(
      "all-at-once", "packets are lost, doubled and overtaken on a radio",
      Setting {
        $0.network = NetworkConditions(
          delay: 700_000, jitter: 2e6, loss: 0.2, duplicates: 0.2, reordered: 0.2)
        $0.rollsFrom = 4
      }, seconds: 30, budget: Budget(1200), quickSeeds: 6
    ) { $0.chatter(from: 5, until: 24, every: 1) },
    Scenario(
      "user-stamps", "no kernel gives stamps",
      Setting {
        $0.network = NetworkConditions(delay: 4_000, jitter: 3_000, hasKernelStamps: false)
        $0.rollsFrom = 4
      }, seconds: 25, budget: Budget(40)
    ) { _ in },
    Scenario(
      "no-multicast", "multicast is filtered; each host is given all others",
      Setting {
        $0.network = NetworkConditions(delay: 60_000, jitter: 15_000, hasMulticast: false)
        $0.seeds = [0, 1, 2]
        $0.starts = [0, 0.3, 0.9]
      }, seconds: 20, budget: Budget(20)
    ) { $0.chatter(from: 5, until: 14, every: 1) },
    Scenario(
      "network-gone", "the whole network is gone for a minute of a take", .rolling, seconds: 100,
      budget: Budget(60), quickSeeds: 2
    ) { stage in
      stage.at(30) {
        $0.fleet.split([0])
        $0.fleet.split([1])
      }
      stage.at(90) { $0.fleet.heal() }
    },
    Scenario(
      "one-pair", "two hosts do not reach one another, but the third reaches both", seconds: 26,
      budget: Budget(20)
    ) { stage in
      let pair = stage.random(below: 3)
      stage.at(8) { $0.fleet.cut(pair, (pair + 1) % 3) }
      stage.at(20) { $0.fleet.heal() }
    },
  ]
}
