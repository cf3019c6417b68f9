public import Units

/// Says when to send the next probe.
///
/// A burst of 40 in a second at the start; then bursts of eight: every second while it matters,
/// else at 1, 2, 5, 10, 20 and 30 seconds' distance; a fixed interval where one was given.
public struct ProbeSchedule: Sendable {
  /// The probes of the first burst, and how far apart they are.
  static let startCount = 40
  static let startSpacing = Duration.milliseconds(25)
  /// The probes of a later burst, and how far apart they are.
  static let burstCount = 8
  /// Delays of packets close together go up and down together: spread out they say more.
  static let widestSpacing = Duration.milliseconds(100)
  /// The distance of bursts, stage by stage, and how many bursts a stage has.
  static let stages: [Duration] = [1, 2, 5, 10, 20, 30].map { .seconds($0) }
  static let burstsPerStage = 5

  private let fixedInterval: Duration?
  private var left = startCount
  private var spacing = startSpacing
  private var stage = 0
  private var bursts = 0
  private var burstStart: HostInstant
  /// Whether a take is armed or rolling: bursts come every second then.
  public private(set) var isFast = false
  /// When the next probe is due.
  public private(set) var nextProbe: HostInstant

  /// Begins with the first burst at `now`.
  public init(interval: Duration? = nil, at now: HostInstant) {
    fixedInterval = interval
    burstStart = now
    nextProbe = now
  }

  /// Begins anew, as after a jump or with another coordinator.
  public mutating func restart(at now: HostInstant) {
    left = Self.startCount
    spacing = Self.startSpacing
    stage = 0
    bursts = 0
    burstStart = now
    nextProbe = now
  }

  /// Goes fast, from this moment on, or back to the stages.
  public mutating func setFast(_ fast: Bool, at now: HostInstant) {
    guard fast != isFast else { return }
    isFast = fast
    stage = 0
    bursts = 0
    guard fast, left == Self.burstCount, now < nextProbe else { return }
    nextProbe = now
    burstStart = now
    if fixedInterval == nil { spacing = Self.widestSpacing }
  }

  /// Takes note that a probe was sent at `now`. `unit` is a random number of 0..<1, which moves
  /// the next burst by up to a tenth of its distance: beacons of a radio come at a fixed beat.
  public mutating func sent(at now: HostInstant, jitter unit: Double) {
    left -= 1
    guard left <= 0 else {
      nextProbe = max(nextProbe + spacing, now)
      return
    }
    let distance = distanceToNextBurst()
    left = Self.burstCount
    // A burst fills three quarters of a short distance, and takes 0.7 s of a long one.
    spacing = min(Self.widestSpacing, distance / 10)
    let next = burstStart + .nanoseconds(Int64(distance.inSeconds * 1e9 * (0.9 + 0.1 * unit)))
    nextProbe = max(next, now + spacing)
    burstStart = nextProbe
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
