public import Units

/// Turns readings of a disciplined wall clock into a map from the host's clock to session time.
///
/// Session time runs on the scale of TAI: it is UTC but for leap seconds, which it does not know.
/// What the discipline slews is followed; what it steps is taken only while the host is idle, and
/// then in a new generation. A step during a take is withheld, widens the bound by its size and is
/// told.
public struct SystemTimeline: Sendable {
  /// What came of a reading.
  public enum Event: Hashable, Sendable {
    /// The wall clock is disciplined, with this error at most.
    case found(errorNanoseconds: Int64)
    /// Nobody vouches for the wall clock any more: the map holds over, and its bound grows.
    case lost
    /// The wall clock was set; whether session time went along, in a new generation.
    case stepped(nanoseconds: Int64, isTaken: Bool)
    case leap(SystemTimeReading.Leap)
  }

  private struct Point {
    let host: HostInstant
    let shared: Int64
  }

  /// The time between two readings.
  public static let interval = Duration.milliseconds(500)
  /// How long the rate is averaged over: the discipline changes it within some seconds.
  static let span = Duration.seconds(8)
  /// The most that a discipline slews, as adjtime(3) has it; more is a step.
  static let fastestSlew = ClockRate(partsPerMillion: 500)
  /// What reading a clock may be off besides, on a busy host, in nanoseconds.
  static let readingNoise: Int64 = 50_000
  /// How the bound grows between readings, and the bound of a wall clock that is free.
  static let growth = ClockRate(partsPerMillion: 10)
  static let freeGrowth = ClockRate(partsPerMillion: 500)

  /// The session that readings are placed in.
  public let session: Session
  /// The best that is known; nothing before the first reading of a disciplined clock.
  public private(set) var map: ClockMap?
  private var points: [Point] = []
  private var withheld: Int64 = 0
  private var generation: UInt32 = 0
  private var isDisciplined: Bool?
  private var leap = SystemTimeReading.Leap.none

  /// Makes the timeline of a session.
  public init(session: Session) { self.session = session }

  /// Takes a reading in.
  public mutating func add(_ reading: SystemTimeReading, activity: Activity) -> [Event] {
    var events: [Event] = []
    if reading.leap != leap {
      leap = reading.leap
      events.append(.leap(leap))
    }
    guard reading.isDisciplined else { return events + lose(at: reading.host) }
    if isDisciplined != true {
      isDisciplined = true
      events.append(.found(errorNanoseconds: reading.maximumErrorNanoseconds))
    }
    let shared = shared(of: reading)
    if activity == .idle, withheld != 0 {
      events.append(.stepped(nanoseconds: withheld, isTaken: true))
      begin(newGeneration: true)
    } else if let step = step(to: shared, reading) {
      events.append(.stepped(nanoseconds: step, isTaken: activity == .idle))
      if activity == .idle { begin(newGeneration: true) } else { withheld += step }
    }
    append(Point(host: reading.host, shared: shared - withheld))
    follow(reading)
    return events
  }

  /// Session time at a reading, by the wall clock alone.
  private func shared(of reading: SystemTimeReading) -> Int64 {
    session.anchor.nanoseconds + (reading.unixNanoseconds - session.anchorUnixNanoseconds)
      + reading.leapsSince2017 * 1_000_000_000
  }

  /// By how much the wall clock was set since the last reading, if it was.
  private func step(to shared: Int64, _ reading: SystemTimeReading) -> Int64? {
    guard let map else { return nil }
    let step = shared - withheld - map.shared(at: reading.host).nanoseconds
    let elapsed = Double((reading.host - map.hostAnchor).wholeNanoseconds)
    let slewed = Int64(elapsed * Self.fastestSlew.fraction)
    return Int64(step.magnitude) > slewed + reading.widthNanoseconds + Self.readingNoise
      ? step : nil
  }

  private mutating func lose(at now: HostInstant) -> [Event] {
    guard isDisciplined != false else { return [] }
    isDisciplined = false
    points = []
    guard let map else { return [.lost] }
    self.map = ClockMap(
      session: session.id, generation: generation, hostAnchor: now,
      sharedAnchor: map.shared(at: now), skew: map.skew,
      jitterBoundNanoseconds: map.jitterBoundNanoseconds(at: now),
      pathLimitNanoseconds: map.pathLimitNanoseconds, boundGrowth: Self.freeGrowth)
    return [.lost]
  }

  private mutating func begin(newGeneration: Bool) {
    points = []
    withheld = 0
    map = nil
    if newGeneration { generation += 1 }
  }

  private mutating func append(_ point: Point) {
    if let last = points.last, point.host <= last.host { return }
    points.append(point)
    let horizon = point.host - Self.span
    while points.count > 2, points[1].host <= horizon { points.removeFirst() }
  }

  private mutating func follow(_ reading: SystemTimeReading) {
    guard let first = points.first, let last = points.last else { return }
    if generation == 0 { generation = 1 }
    let skew = Self.rate(from: first, to: last) ?? map?.skew.fraction ?? 0
    let recent = points.dropLast().last.flatMap { Self.rate(from: $0, to: last) } ?? skew
    let isNew = points.count < 2
    let estimated = min(reading.estimatedErrorNanoseconds, reading.maximumErrorNanoseconds)
    map = ClockMap(
      session: session.id, generation: generation, hostAnchor: last.host,
      sharedAnchor: SharedInstant(nanoseconds: last.shared), skew: ClockRate(fraction: skew),
      jitterBoundNanoseconds: estimated + reading.widthNanoseconds
        + Int64(clamping: withheld.magnitude),
      pathLimitNanoseconds: reading.maximumErrorNanoseconds - estimated,
      boundGrowth: isNew
        ? Self.freeGrowth : ClockRate(fraction: Self.growth.fraction + abs(recent - skew)))
  }

  private static func rate(from one: Point, to other: Point) -> Double? {
    let elapsed = other.host.nanoseconds - one.host.nanoseconds
    guard elapsed >= 400_000_000 else { return nil }
    return Double(other.shared - one.shared - elapsed) / Double(elapsed)
  }
}

extension SystemTimeline.Event: CustomStringConvertible {
  public var description: String {
    switch self {
    case .found(let error):
      "the system's clock is disciplined, within \(error / 1000) us: shared time comes from it"
    case .lost:
      "the system's clock is not synchronized: start chrony, ntpd or linuxptp on this host; until "
        + "then its time is as good as it was"
    case .stepped(let nanoseconds, isTaken: true):
      "the system's clock was set by \(nanoseconds / 1000) us, and shared time with it"
    case .stepped(let nanoseconds, isTaken: false):
      "the system's clock was set by \(nanoseconds / 1000) us during a take; shared time goes on "
        + "without it until the take has ended, and its bound is wider by that"
    case .leap(let leap): "leap second: \(leap.rawValue)"
    }
  }
}
