public import Units

/// Says when to send the next probe.
///
/// A burst of 40 in a second at the start; then bursts of eight: every second while it matters,
/// else at 1, 2, 5, 10, 20 and 30 seconds' distance; a fixed interval where one was given. On a
/// path that is not quick a burst has sixteen in the first half minute and as long as its floors are
/// sparse: there a minute has but a few packets at the floor, and these are all that counts. On a
/// quick one it has ten in the first four seconds, which else leave some ppm of the rate open. At a
/// fixed interval it has eight always: who asks for a traffic gets that.
///
/// A burst is made of slots 200 ms apart, with two probes or more in each. On a quick path they
/// leave together: the second takes the first one's way through warm caches, and so does its
/// reply, so that both directions are alike to some nanoseconds. On others, and where it is the
/// program that stamps what comes, one goes by the clock, and the next as soon as it is answered:
/// the replier has not gone to sleep by then, and wakes as fast as who asked. More follow while
/// replies are slow: a reply that was held back (by a queue, or by a radio that sleeps until its
/// beacon) comes when the way has become free.
public struct ProbeSchedule: Sendable {
  /// The probes of the first burst, and how far apart its slots are.
  static let startCount = 40
  static let startSpacing = Duration.milliseconds(50)
  /// The probes of a later burst; those of one on a path that is not quick, in the beginning and
  /// while its floors are sparse.
  static let burstCount = 8
  static let largeCount = 16
  /// Those of one in the beginning of a quick path: a pair in each slot.
  static let quickEagerCount = 2 * slotsPerDistance
  /// How long the beginning lasts; and on a quick path, where only the first seconds' lack of a long
  /// lever matters: what the start burst takes for the rate is off by some ppm now and then.
  static let eagerSpan = Duration.seconds(30)
  static let quickEagerSpan = Duration.seconds(4)
  /// From which scale of a floor on it is sparse: half of it is error, as a rule.
  static let sparseScale = Duration.microseconds(5)
  /// How far apart its slots are, and how many fit into a short distance. Delays of packets close
  /// together go up and down together: spread out they say more.
  static let widestSpacing = Duration.milliseconds(200)
  static let slotsPerDistance = 5
  /// The distance of bursts, stage by stage, and how many bursts a stage has.
  static let stages: [Duration] = [1, 2, 5, 10, 20, 30].map { .seconds($0) }
  static let burstsPerStage = 5
  /// A reply is slow beyond one and a half of the least round trip, and half a millisecond more.
  static let leastSlowness = Duration.microseconds(500)

  /// A path is quick whose least round trip is below this: no radio's is.
  static let quickRoundTrip = Duration.milliseconds(1)

  private let fixedInterval: Duration?
  private var left = startCount
  /// How many probes this burst may have.
  private var planned = startCount
  private var spacing = startSpacing
  private var stage = 0
  private var bursts = 0
  private var burstStart: HostInstant
  private var nextBurst: HostInstant?
  private var slotStart: HostInstant
  /// How many probes of this slot have followed a reply.
  private var followers = 0
  private var isFollowing = false
  private var leastRoundTrip: Duration?
  private var eagerEnd: HostInstant
  private var quickEagerEnd: HostInstant { eagerEnd - (Self.eagerSpan - Self.quickEagerSpan) }
  private var isSparse = false
  /// Whether a stamp of what comes is that of a program that was woken.
  private var isWoken = false
  /// Whether a take is armed or rolling: bursts come every second then.
  public private(set) var isFast = false
  /// When the next probe is due.
  public private(set) var nextProbe: HostInstant

  /// Begins with the first burst at `now`.
  public init(interval: Duration? = nil, at now: HostInstant) {
    fixedInterval = interval
    eagerEnd = now + Self.eagerSpan
    burstStart = now
    slotStart = now
    nextProbe = now
  }

  /// Begins anew, as after a jump or with another coordinator.
  public mutating func restart(at now: HostInstant) {
    stage = 0
    bursts = 0
    leastRoundTrip = nil
    isSparse = false
    eagerEnd = now + Self.eagerSpan
    begin(Self.startCount, at: now)
    spacing = Self.startSpacing
  }

  /// Goes fast, from this moment on, or back to the stages.
  public mutating func setFast(_ fast: Bool, at now: HostInstant) {
    guard fast != isFast else { return }
    isFast = fast
    stage = 0
    bursts = 0
    guard fast else { return }
    if isResting, now < nextProbe {
      beginBurst(at: now)
    } else if let end = nextBurst, fixedInterval == nil {
      let sooner = min(end, max(now, burstStart + Self.stages[0]))
      nextBurst = sooner
      nextProbe = min(nextProbe, sooner)
    }
  }

  /// Begins with the fast stage again, from this moment on: time came out otherwise than expected.
  /// Where bursts come at a fixed distance, or each second already, they go on as they do.
  public mutating func hasten(at now: HostInstant) {
    guard fixedInterval == nil, !isFast, stage > 0 else { return }
    stage = 0
    bursts = 0
    if let end = nextBurst { nextBurst = min(end, max(now, burstStart + Self.stages[0])) }
    if isResting, now < nextProbe { beginBurst(at: now) }
  }

  /// Takes note of how far apart the lowest delays lie, in the direction that shows fewer.
  public mutating func learn(floorScale: Duration) { isSparse = floorScale > Self.sparseScale }

  /// Takes note of who stamps what comes, at the worse end.
  public mutating func learn(receptionBy kind: StampKind) { isWoken = kind == .userSpace }

  /// Takes note that a probe was sent at `now`. `unit` is a random number of 0..<1, which moves
  /// the next burst by up to a tenth of its distance: beacons of a radio come at a fixed beat.
  public mutating func sent(at now: HostInstant, jitter unit: Double) {
    if let end = nextBurst, now >= end { beginBurst(at: now) }
    let end = nextBurst ?? planBurst(jitter: unit)
    left -= 1
    if isFollowing {
      isFollowing = false
      followers += 1
    } else {
      slotStart = max(slotStart, now)
      followers = 0
    }
    nextProbe = max(min(slotStart + spacing, end), now)
    if followers == 0, left > 0, !isWoken, let least = leastRoundTrip, least < Self.quickRoundTrip {
      isFollowing = true
      nextProbe = now
    }
    if left <= 0 { beginBurst(at: max(end, now)) }
  }

  /// Takes note that the probe sent last was answered at `now`, after `roundTrip`.
  public mutating func answered(after roundTrip: Duration, at now: HostInstant) {
    let least = min(leastRoundTrip ?? roundTrip, roundTrip)
    leastRoundTrip = least
    let isSlow = roundTrip > max(least * 3 / 2, least + Self.leastSlowness)
    // Between two bursts nothing follows: what is left belongs to the next.
    guard nextBurst != nil, followers == 0 || isSlow else { return }
    isFollowing = true
    nextProbe = now
  }

  /// Whether the last burst is over, and the next one waits for its time.
  private var isResting: Bool {
    nextBurst == nil && left == planned && planned != Self.startCount
  }

  private mutating func beginBurst(at start: HostInstant) {
    let isQuick = leastRoundTrip.map { $0 < Self.quickRoundTrip } ?? true
    let isEager = start < (isQuick ? quickEagerEnd : eagerEnd)
    let count =
      switch (isQuick, isEager || (!isQuick && isSparse)) {
      case (true, true): Self.quickEagerCount
      case (false, true): Self.largeCount
      case (_, false): Self.burstCount
      }
    begin(fixedInterval == nil ? count : Self.burstCount, at: start)
  }

  private mutating func begin(_ count: Int, at start: HostInstant) {
    left = count
    planned = count
    burstStart = start
    slotStart = start
    nextBurst = nil
    followers = 0
    isFollowing = false
    nextProbe = start
  }

  /// Plans the burst whose first probe is being sent; when the one after it begins.
  private mutating func planBurst(jitter unit: Double) -> HostInstant {
    // A path may become longer for good: the least is not believed for ever.
    if let least = leastRoundTrip { leastRoundTrip = least + least / 128 }
    if left == Self.startCount {
      let end = burstStart + .seconds(1)
      nextBurst = end
      return end
    }
    let distance = distanceToNextBurst()
    spacing = min(Self.widestSpacing, distance / Self.slotsPerDistance)
    let end = burstStart + .nanoseconds(Int64(distance.inSeconds * 1e9 * (0.9 + 0.1 * unit)))
    nextBurst = end
    return end
  }

  private mutating func distanceToNextBurst() -> Duration {
    if let fixedInterval { return fixedInterval }
    if isFast { return Self.stages[0] }
    bursts += 1
    if bursts > Self.burstsPerStage, stage + 1 < Self.stages.count {
      stage += 1
      bursts = 1
    }
    return Self.stages[stage]
  }
}
