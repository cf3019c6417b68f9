internal import PeerCore
internal import Simulation
internal import Units

/// A course of events that follows from a seed, and what it may cost.
public struct Scenario: Sendable {
  /// In small letters, as a command line has it.
  public let name: String
  /// What happens, in one sentence.
  public let story: String
  public let setting: Setting
  /// How long it lasts.
  public let span: Duration
  public let budget: Budget
  /// How many seeds of it `swift test` runs; none where it runs in release builds only.
  public let quickSeeds: Int
  let play: @Sendable (Stage) -> Void

  /// Makes a scenario; `play` arranges what is to happen, before anything does.
  init(
    _ name: String, _ story: String, _ setting: Setting = Setting(), seconds: Double,
    budget: Budget, quickSeeds: Int = 6, play: @escaping @Sendable (Stage) -> Void
  ) {
    self.name = name
    self.story = story
    self.setting = setting
    span = .nanoseconds(Int64(seconds * 1e9))
    self.budget = budget
    self.quickSeeds = quickSeeds
    self.play = play
  }

  /// Whether it has so many hosts that it takes minutes.
  public var isLarge: Bool { setting.hosts >= 100 }

  /// Plays it once, from `seed`; what happens goes to `narrator`, a line each, and how much of the
  /// span has passed to `progress`, after each twentieth.
  public func run(
    seed: UInt64, narrator: ((String) -> Void)? = nil, progress: ((Duration) -> Void)? = nil
  ) -> Outcome {
    let stage = Stage(scenario: self, seed: seed)
    stage.referee.narrator = narrator
    play(stage)
    for part in 1...20 {
      stage.world.run(until: span * part / 20)
      progress?(stage.world.now)
    }
    defer { stage.fleet.dissolve() }
    return stage.outcome()
  }
}

/// With what a scenario begins.
public struct Setting: Sendable {
  var hosts = 3
  var network = NetworkConditions.wired
  var crystals = CrystalSpread()
  /// When each host starts, in seconds; those without a time start at once.
  var starts: [Double] = []
  /// The upper halves of the hosts' ids; by default they grow with the host's number.
  var ids: [UInt64] = []
  /// Whether hosts of one upper half are twins: of one id.
  var sharesIDs = false
  /// The hosts that beacons go to besides the multicast group.
  var seeds: [Int] = []
  /// Whether datagrams are sealed in each tenth seed; they travel in clear else, which is quicker.
  var sealsEveryTenth = false
  /// How far apart the looks at all clocks are in the mean, in seconds.
  var lookInterval = 0.1
  /// By which numbers the hosts live.
  var policy = PeerNodePolicy()
  /// How many networks lie side by side, each host being on all of them: IPv4 and IPv6 are two.
  var lines = 1
  /// From when on, in seconds, all hosts roll; nothing: they stay idle.
  var rollsFrom: Double?
}

/// What a scenario may cost.
public struct Budget: Sendable {
  /// The largest error of shared time, once all is settled, in microseconds.
  public let microseconds: Double
  /// For how long after a host came or went, or the network changed, that may be exceeded, in
  /// seconds; the bounds hold then, too.
  public let settlesIn: Double
  /// In what share of the readings, of all seeds together, the jitter bound alone holds: in 99 of 100
  /// where paths are symmetric, and in none that is promised where they are not.
  public let jitterShare: Double
  /// How far the timeline may come off the one that the session began with, in microseconds;
  /// nothing where that is not asked.
  public let driftMicroseconds: Double?

  init(
    _ microseconds: Double, settlesIn: Double = 3, jitterShare: Double = 0.99,
    drift: Double? = nil
  ) {
    self.microseconds = microseconds
    self.settlesIn = settlesIn
    self.jitterShare = jitterShare
    driftMicroseconds = drift
  }
}
