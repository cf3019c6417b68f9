public import Units

/// How far the timeline that a coordinator gives may be off the one that there was before it.
///
/// A coordinator's map is the timeline by definition, but a successor's definition is its reading
/// of its predecessor's: it inherits the bound, which grows while others may still go by the old
/// one. And a coordinator that has lost most of its followers may have been replaced.
public struct Leadership: Hashable, Sendable {
  /// For how long an inherited bound grows. By then everybody has come over, or is lost; see
  /// `docs/decisions/inherited-bounds.md`.
  public static let settling = Duration.seconds(60)

  /// Since when this host leads.
  public let since: HostInstant
  /// The bounds at that time, as of a follower, in nanoseconds.
  private let inheritedJitter: Int64
  private let inheritedPath: Int64
  private let inheritedGrowth: ClockRate
  /// Whether they count no more, since nobody relies on the old timeline.
  private var isWrittenOff = false
  /// Since when another may lead elsewhere.
  private(set) var partedSince: HostInstant?

  /// Leads from `now` on with what `map` said as a follower's; nothing: a timeline of its own.
  init(inheriting map: ClockMap?, at now: HostInstant) {
    since = now
    inheritedJitter = map?.jitterBoundNanoseconds(at: now) ?? 0
    inheritedPath = map?.pathLimitNanoseconds ?? 0
    inheritedGrowth = map?.boundGrowth ?? .zero
  }

  /// By how much two timelines part whose hosts have lost each other: each knows the other's rate
  /// to that, the better the longer they had met before.
  func parting(at instant: HostInstant) -> ClockRate {
    ClockRate(partsPerMillion: instant - since >= .seconds(30) ? 1 : 20)
  }

  /// Takes note of since when another may lead elsewhere, if one may; whether that is news.
  mutating func part(since instant: HostInstant?) -> Bool {
    defer { partedSince = instant }
    return partedSince != instant
  }

  /// The bound beyond which a timeline is a guess, by wall clocks: that is never written off, since
  /// the same session's true timeline may come back.
  static let guess: Int64 = 100_000_000

  /// Takes note that nobody relies on the old timeline any more; whether that is news.
  mutating func writeOff() -> Bool {
    guard !isWrittenOff, inheritedJitter < Self.guess else { return false }
    guard inheritedJitter != 0 || inheritedPath != 0 || inheritedGrowth != .zero else {
      return false
    }
    isWrittenOff = true
    return true
  }

  /// Takes note that another leads, perhaps on the old timeline: what was written off counts again.
  mutating func recall() { isWrittenOff = false }

  /// What the path to the coordinator before could hide, in nanoseconds.
  var pathNanoseconds: Int64 { isWrittenOff ? 0 : inheritedPath }

  /// Whether the inherited bound grows no more at `now`.
  func isSettled(at now: HostInstant) -> Bool { now >= since + Self.settling }

  /// The jitter bound at `now`, in nanoseconds.
  func jitterNanoseconds(at now: HostInstant) -> Int64 {
    let grown = Double(min(now - since, Self.settling).wholeNanoseconds) * inheritedGrowth.fraction
    let inherited = isWrittenOff ? 0 : Double(inheritedJitter) + grown
    let parted = partedSince.map {
      Double((now - $0).wholeNanoseconds) * parting(at: $0).fraction
    }
    return Int64((inherited + max(0, parted ?? 0)).rounded(.up))
  }

  /// By how much it grows from `now` on.
  func growth(at now: HostInstant) -> ClockRate {
    let inherited = isWrittenOff || isSettled(at: now) ? 0 : inheritedGrowth.fraction
    return ClockRate(
      fraction: inherited + (partedSince.map { parting(at: $0).fraction } ?? 0))
  }
}
