internal import PeerCore
internal import Simulation
internal import Units

// What takes hours: for release builds only.
extension Scenario {
  static let long = [session, hoursLater, crowd]

  private static let session = Scenario(
    "session", "five hosts for an hour: takes, a partition, two dead coordinators",
    Setting {
      $0.hosts = 5
      $0.network = NetworkConditions(delay: 60_000, jitter: 15_000, loss: 0.01)
      $0.lookInterval = 2
      $0.sealsEveryTenth = true
    }, seconds: 3600, budget: Budget(60, settlesIn: 10), quickSeeds: 0
  ) { stage in
    stage.chatter(from: 10, until: 3590, every: 30)
    for take in 0..<3 {
      let start = 100 + 1150 * Double(take) + stage.random(in: 0...100)
      stage.at(start) { $0.roll() }
      stage.at(start + stage.random(in: 300...900)) { $0.rest() }
    }
    for _ in 0..<2 {
      let time = stage.random(in: 60...3300)
      stage.at(time) { stage in
        guard let coordinator = stage.fleet.coordinator else { return }
        let host = stage.fleet.hosts[coordinator]
        let activity = host.node?.activity ?? .idle
        host.stop(crash: true)
        stage.at(stage.now + stage.random(in: 1...60)) { _ in
          host.start(remembering: true, activity: activity)
        }
      }
    }
    let parting = stage.random(in: 60...3400)
    stage.at(parting) { $0.fleet.split([$0.random(below: 5), $0.random(below: 5)]) }
    stage.at(parting + stage.random(in: 5...90)) { $0.fleet.heal() }
  }

  private static let hoursLater = Scenario(
    "hours-later", "a host joins a take three hours later",
    Setting {
      $0.starts = [0, 0, 10_800]
      $0.rollsFrom = 4
      $0.lookInterval = 1
    }, seconds: 10_830, budget: Budget(20), quickSeeds: 0, play: joinsLate)

  private static let crowd = Scenario(
    "crowd", "100 peers for an hour",
    Setting {
      $0.hosts = 100
      $0.starts = (0..<100).map { 0.02 * Double($0) }
      $0.lookInterval = 5
    }, seconds: 3600, budget: Budget(60, settlesIn: 8), quickSeeds: 0
  ) { stage in
    stage.expect(at: 12, "all have one coordinator and shared time, 10 s after the last start") {
      $0.fleet.coordinator != nil && $0.fleet.hosts.allSatisfy { $0.node?.clockMap != nil }
    }
    for (name, from, to) in [("first minute", 0.0, 60.0), ("rest of the hour", 60, 3599)] {
      stage.at(from) { stage in
        let before = stage.fleet.hosts.map(\.traffic)
        stage.at(to) { noteTraffic(name, since: before, seconds: to - from, in: $0) }
      }
    }
  }

  private static func noteTraffic(
    _ name: String, since before: [Traffic], seconds: Double, in stage: Stage
  ) {
    let rates = stage.fleet.hosts.map { host in
      Double(host.traffic.since(before[host.number]).sentBytes) * 8 / 1000 / seconds
    }
    let leader = stage.fleet.coordinator ?? 0
    let followers = rates.enumerated().filter { $0.offset != leader }.map(\.element)
    let mean = followers.reduce(0, +) / Double(max(1, followers.count))
    stage.note(
      "\(name): a follower sends \(Self.tenths(mean)) kbit/s "
        + "(\(Self.tenths(followers.max() ?? 0)) at most), the coordinator "
        + "\(Self.tenths(rates[leader])) kbit/s")
  }

  private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
