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
    "1000 peers roll a take, part into 300 and 700 that command apart, meet again, lose their coordinator",
    Setting {
      $0.hosts = 1000
      $0.starts = (0..<1000).map { 0.002 * Double($0) }
      $0.lookInterval = 3
      $0.policy = PeerNodePolicy(mostPeers: 1000, mostCandidates: 1000)
    }, seconds: 36, budget: Budget(200, settlesIn: 6), quickSeeds: 0
  ) { stage in
    gathers(stage, by: 6, spans: [("the first 6 s", 0, 6), ("from 16 to 20 s", 16, 19.9)])
    stage.chatter(from: 6, until: 28, every: 2)
    stage.at(6.2) { $0.arm() }
    // Two start at once, and later each part does what the other cannot know.
    for _ in 0..<2 { stage.at(6.5) { begin(0, in: $0) } }
    stage.at(8) { $0.fleet.split(Set(0..<300)) }
    stage.at(9) { $0.order(take: 1, isEnd: false, from: $0.fleet.hosts[0]) }
    stage.at(10) { $0.order(take: 1, isEnd: true, from: $0.fleet.hosts[999]) }
    stage.at(13) { $0.fleet.heal() }
    stage.at(20) { crash($0.fleet.coordinator, in: $0) }
    stage.at(28) { end(0, in: $0) }
    // Before each change, and at the end: looks at uneven times might miss the peace.
    for time in [12.9, 16.1, 19.9, 25.1, 27.9, 31.1, 35.9] { stage.at(time) { $0.referee.look() } }
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
