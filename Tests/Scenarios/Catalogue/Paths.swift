internal import Simulation
internal import Units

// Delays: chrony's 006-largejitter, 118-maxdelay, 123-mindelay, 002-largenetwork.
extension Scenario {
  private static let wireless = Setting {
    $0.network = .wireless
    $0.rollsFrom = 4
  }

  static let paths = [
    Scenario(
      "jitter", "a radio whose packets come a millisecond late, in a take", wireless,
      seconds: 40, budget: Budget(350)
    ) { $0.chatter(from: 5, until: 34, every: 2) },
    Scenario(
      "large-jitter", "a radio under load: 10 ms late in the mean, 4 of 100 lost",
      Setting {
        $0.network = NetworkConditions(delay: 700_000, jitter: 10e6, loss: 0.04)
        $0.rollsFrom = 4
      }, seconds: 60, budget: Budget(1500, settlesIn: 10), quickSeeds: 4
    ) { _ in },
    Scenario(
      "load-one-way", "all that comes to the coordinator is 20 ms late", .rolling,
      seconds: 40, budget: Budget(12)
    ) { stage in
      stage.at(14) { $0.fleet.burden(0, incoming: Burden(jitter: 20e6)) }
    },
    Scenario(
      "load-both-ways", "all that comes to the coordinator or leaves it is 10 ms late", .rolling,
      seconds: 40, budget: Budget(30)
    ) { stage in
      stage.at(14) {
        $0.fleet.burden(0, outgoing: Burden(jitter: 10e6), incoming: Burden(jitter: 10e6))
      }
    },
    Scenario(
      "asymmetric", "one host's packets take 300 us more on their way out", .rolling,
      seconds: 25, budget: Budget(170, jitterShare: 0)
    ) { stage in
      stage.fleet.burden(1, outgoing: Burden(delay: 300_000))
    },
    Scenario(
      "path-longer", "a path becomes 2 ms longer each way, and short again", .rolling,
      seconds: 90, budget: Budget(300), quickSeeds: 2
    ) { stage in
      let detour = Burden(delay: 2e6)
      stage.at(15) { $0.fleet.burden(1, outgoing: detour, incoming: detour) }
      stage.at(70) { $0.fleet.burden(1) }
    },
    Scenario(
      "path-lopsided", "a path becomes 1 ms longer one way, and short again", .rolling,
      seconds: 60, budget: Budget(600, jitterShare: 0), quickSeeds: 3
    ) { stage in
      stage.at(15) { $0.fleet.burden(1, outgoing: Burden(delay: 1e6)) }
      stage.at(45) { $0.fleet.burden(1) }
    },
    Scenario(
      "many", "twelve hosts that start within 3 s",
      Setting {
        $0.hosts = 12
        $0.starts = (0..<12).map { 0.25 * Double($0) }
      }, seconds: 12, budget: Budget(20), quickSeeds: 2
    ) { $0.chatter(from: 6, until: 7, every: 0.3) },
  ]
}
