/// Sandwiches kept as time went by, to convert stamps of the other clock that are read late.
///
/// A clock that is being slewed runs up to some 500 ppm beside the host's own: by the sandwich of
/// the moment alone, a stamp that waited for a second while the program stood still would come out
/// 500 us wrong. Between the sandwich before it and the one after, it is right to their widths.
/// Where the other clock was stepped in between, no conversion is right, and none is given.
public struct SandwichTrail: Sendable {
  /// The most sandwiches kept, and how far apart at least: enough for the turns of a busy loop.
  static let mostKept = 8
  static let spacing = Duration.milliseconds(10)
  /// The oldest stamp that is converted, and the oldest without a sandwich before it.
  static let longestAge = Duration.seconds(1)
  static let longestAlone = Duration.milliseconds(1)
  /// How far a sandwich before may lie back.
  static let longestReach = Duration.seconds(60)
  /// The most that slewing does: beyond a thousandth, and a microsecond, it was a step.
  static let greatestSlew = 0.001
  static let leastStep = 1_000.0

  private var kept: [Sandwich] = []

  /// Begins without a sandwich.
  public init() {}

  /// A stamp of the other clock in this host's time, and keeps `now`, which was read after it.
  /// Nothing where the stamp lies in the future, too far back, or on the other side of a step.
  public mutating func host(ofOther nanoseconds: Int64, now: Sandwich) -> HostInstant? {
    defer { keep(now) }
    let age = Duration.nanoseconds(now.otherNanoseconds - nanoseconds)
    guard age > .microseconds(-1), age < Self.longestAge else { return nil }
    guard let before = kept.last(where: { $0.otherNanoseconds <= nanoseconds }),
      now.host - before.host < Self.longestReach
    else { return age < Self.longestAlone ? now.host(ofOther: nanoseconds) : nil }
    let other = Double(now.otherNanoseconds - before.otherNanoseconds)
    let own = Double((now.host - before.host).wholeNanoseconds)
    let isStep = abs(own - other) > Self.greatestSlew * own + Self.leastStep
    guard other > 0, !isStep else { return nil }
    let back = Double(now.otherNanoseconds - nanoseconds) * own / other
    return HostInstant(nanoseconds: now.host.nanoseconds - Int64(back.rounded()))
  }

  /// Keeps a sandwich, for stamps that are read after it.
  public mutating func keep(_ sandwich: Sandwich) {
    if let last = kept.last, sandwich.otherNanoseconds <= last.otherNanoseconds { kept = [] }
    if let last = kept.last, sandwich.host - last.host < Self.spacing { return }
    if kept.count == Self.mostKept { kept.removeFirst() }
    kept.append(sandwich)
  }
}
