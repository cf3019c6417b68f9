internal import PeerCore
internal import Simulation
internal import Units

// Many hosts: for release builds only.
extension Scenario {
  static let crowd = Scenario(
    "crowd", "100 peers for an hour",
    Setting {
      $0.hosts = 100
      $0.starts = (0..<100).map { 0.02 * Double($0) }
      $0.lookInterval = 5
    }, seconds: 3600, budget: Budget(60, settlesIn: 8), quickSeeds: 0
  ) {
    gathers(
      $0, by: 12,
      spans: [("first minute", 0, 60), ("three more", 60, 240), ("from then on", 240, 3599)])
  }

  static let crowdOnTwo = Scenario(
    "crowd-on-two", "100 peers, each on two networks, as with IPv4 and IPv6, for 15 minutes",
    Setting {
      $0.hosts = 100
      $0.starts = (0..<100).map { 0.02 * Double($0) }
      $0.lookInterval = 5
      $0.lines = 2
    }, seconds: 900, budget: Budget(60, settlesIn: 8), quickSeeds: 0
  ) {
    gathers(
      $0, by: 12,
      spans: [("first minute", 0, 60), ("three more", 60, 240), ("from then on", 240, 899)])
  }

  static let thousand = Scenario(
    "thousand",
    "1000 peers roll a take, part into 300 and 700, meet again, and lose their coordinator",
    Setting {
      $0.hosts = 1000
      $0.starts = (0..<1000).map { 0.002 * Double($0) }
      $0.lookInterval = 3
      $0.policy = PeerNodePolicy(mostPeers: 1000, mostCandidates: 1000)
    }, seconds: 34, budget: Budget(200, settlesIn: 6), quickSeeds: 0
  ) { stage in
    gathers(stage, by: 6, spans: [("all of it", 0, 33.9)])
    stage.at(6.2) { $0.arm() }
    stage.at(6.5) { begin(0, in: $0) }
    stage.at(8) { $0.fleet.split(Set(0..<300)) }
    stage.at(13) { $0.fleet.heal() }
    stage.at(20) { crash($0.fleet.coordinator, in: $0) }
    stage.at(28) { end(0, in: $0) }
  }

  /// A host's power fails for two seconds.
  private static func crash(_ number: Int?, in stage: Stage) {
    guard let number else { return }
    let host = stage.fleet.hosts[number]
    host.stop(crash: true)
    stage.at(stage.now + 2) { _ in host.start(remembering: true, activity: .rolling) }
  }

  /// All have one coordinator and shared time by then; what each sends is measured.
  @Sendable private static func gathers(
    _ stage: Stage, by time: Double, spans: [(name: String, from: Double, to: Double)]
  ) {
    stage.expect(at: time, "all have one coordinator and shared time by \(Int(time)) s") {
      $0.fleet.coordinator != nil && $0.fleet.hosts.allSatisfy { $0.node?.clockMap != nil }
    }
    for (name, from, to) in spans {
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
