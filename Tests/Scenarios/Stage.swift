internal import PeerCore
internal import Sealing
internal import Simulation
internal import Units

/// Where one seed of a scenario is played: a world, a fleet in it and a referee.
final class Stage {
  let scenario: Scenario
  let world: World
  let fleet: Fleet
  let referee: Referee
  private(set) var notes: [String] = []

  init(scenario: Scenario, seed: UInt64) {
    let setting = scenario.setting
    let world = World(seed: seed)
    self.scenario = scenario
    self.world = world
    fleet = Fleet(
      in: world, hosts: setting.hosts, network: setting.network,
      starts: setting.starts.map { .nanoseconds(Int64($0 * 1e9)) },
      ids: setting.ids.map { PeerID(high: $0 << 48, low: setting.sharesIDs ? 0 : world.bits()) },
      cipher: setting.sealsEveryTenth && seed % 10 == 0 ? Self.sealed : Fleet.clearCipher,
      policy: setting.policy, seeds: setting.seeds,
      crystals: setting.crystals, lines: setting.lines, keepsRecord: false)
    referee = Referee(fleet: fleet, budget: scenario.budget)
    referee.watch(every: setting.lookInterval)
    if let time = setting.rollsFrom { at(time) { $0.roll() } }
  }

  private static let sealed: Cipher = {
    guard let key = SecretKey([UInt8](repeating: 7, count: SecretKey.length)) else {
      return Fleet.clearCipher
    }
    return .sealed(GroupKeys(root: key))
  }()

  /// True time in seconds.
  var now: Double { world.now.inSeconds }

  /// The next number of the uniform distribution over `range`.
  func random(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * world.random()
  }

  /// The next whole number of 0..<`count`.
  func random(below count: Int) -> Int { min(count - 1, Int(world.random() * Double(count))) }

  /// Has something happen at the true time `seconds`.
  func at(_ seconds: Double, _ action: @escaping (Stage) -> Void) {
    world.schedule(at: .nanoseconds(Int64(seconds * 1e9))) { [unowned self] in action(self) }
  }

  /// Asks for something at the true time `seconds`: where it does not hold, that is a violation.
  func expect(at seconds: Double, _ what: String, _ holds: @escaping (Stage) -> Bool) {
    at(seconds) { stage in
      if !holds(stage) { stage.referee.report("expectation", "not so: \(what)") }
    }
  }

  /// Adds what was measured.
  func note(_ text: String) { notes.append(text) }

  func outcome() -> Outcome {
    referee.conclude()
    return Outcome(
      scenario: scenario.name, seed: world.seed, violations: referee.violations,
      worstMicroseconds: Double(referee.worst) / 1e3, worstRatio: referee.worstRatio,
      readings: referee.readings,
      readingsWithinJitter: referee.readingsWithinJitter,
      driftMicroseconds: Double(referee.drift) / 1e3,
      notes: notes)
  }
}

// What the people do.
extension Stage {
  /// These hosts, or all that run, roll a take from now on.
  func roll(_ numbers: [Int]? = nil) { setActivity(.rolling, of: numbers) }

  /// These hosts, or all that run, are idle from now on.
  func rest(_ numbers: [Int]? = nil) { setActivity(.idle, of: numbers) }

  /// These hosts, or all that run, listen to their cards from now on.
  func arm(_ numbers: [Int]? = nil) { setActivity(.armed, of: numbers) }

  private func setActivity(_ activity: Activity, of numbers: [Int]?) {
    fleet.noteChange()
    for host in fleet.hosts where numbers?.contains(host.number) ?? true {
      host.use { node, now in node.setActivity(activity, at: now) }
    }
  }

  /// One of the hosts commands, and says something new of itself, every `interval` seconds or so.
  func chatter(from start: Double, until end: Double, every interval: Double) {
    at(start) { stage in
      let host = stage.fleet.hosts[stage.random(below: stage.fleet.hosts.count)]
      stage.speak(host)
      let next = stage.now + interval * stage.random(in: 0.5...1.5)
      if next < end { stage.chatter(from: next, until: end, every: interval) }
    }
  }

  /// Hosts begin, begin again and end some takes, several of them at once, every `interval` seconds
  /// or so.
  func takes(from start: Double, until end: Double, every interval: Double) {
    at(start) { stage in
      let host = stage.fleet.hosts[stage.random(below: stage.fleet.hosts.count)]
      stage.direct(host)
      let next = stage.now + interval * stage.random(in: 0.1...1.9)
      if next < end { stage.takes(from: next, until: end, every: interval) }
    }
  }

  private func direct(_ host: SimulatedHost) {
    guard host.isAwake else { return }
    let number = random(below: 3)
    let isEnd = random(below: 3) == 0
    let lead = Duration.milliseconds(random(below: 2000) - 500)
    order(take: number, isEnd: isEnd, lead: lead, from: host)
  }

  /// Any host that is awake; nothing where none is.
  var somebody: SimulatedHost? {
    let awake = fleet.hosts.filter(\.isAwake)
    return awake.isEmpty ? nil : awake[random(below: awake.count)]
  }

  /// `host` orders a take to begin, or to end, `lead` from now: all hosts are to know of it.
  func order(take number: Int, isEnd: Bool, lead: Duration = .seconds(1), from host: SimulatedHost)
  {
    guard host.isAwake else { return }
    referee.lastTake = world.now
    host.use { node, now in
      guard let map = node.clockMap else { return [] }
      let moment = map.shared(at: now) + lead
      let take = TakeState(
        session: map.session, id: TakeID(high: map.session.high, low: UInt64(number)),
        number: UInt32(number), name: "scene", t0: moment, t1: isEnd ? moment : nil)
      referee.note(order: take)
      return node.noteTake(take, at: now)
    }
  }

  private func speak(_ host: SimulatedHost) {
    guard host.isAwake else { return }
    let text = Array("\(now)".utf8)
    do {
      try host.use { node, now in try node.setStatus(text, forKey: "said", at: now) }
      try host.use { node, now in
        try node.broadcast(type: "mark", payload: text, at: now).actions
      }
    } catch {
      referee.report("command", "host \(host.number) could not command: \(error)")
    }
  }
}
