internal import PeerCore
internal import Simulation
internal import Units

// What takes hours: for release builds only.
extension Scenario {
  static let long = [session, hoursLater, crowd, crowdOnTwo, thousand]

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
      stage.at(start) { begin(take, in: $0) }
      stage.at(start + stage.random(in: 300...900)) { end(take, in: $0) }
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

  /// Some host that is awake starts a take: all roll.
  @Sendable static func begin(_ take: Int, in stage: Stage) {
    if let host = stage.somebody { stage.order(take: take, isEnd: false, from: host) }
    stage.roll()
  }

  @Sendable static func end(_ take: Int, in stage: Stage) {
    if let host = stage.somebody { stage.order(take: take, isEnd: true, from: host) }
    stage.rest()
  }

  private static let hoursLater = Scenario(
    "hours-later", "a host joins a take three hours later",
    Setting {
      $0.starts = [0, 0, 10_800]
      $0.rollsFrom = 4
      $0.lookInterval = 1
    }, seconds: 10_830, budget: Budget(20), quickSeeds: 0, play: joinsLate)
}
