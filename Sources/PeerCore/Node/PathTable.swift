public import Units

/// The paths on which a peer is heard, and which of them is used.
///
/// The path in use stays while it is heard, so that what is known of the peer's clock rests on one
/// path. When it falls silent, the best of those that are still heard takes over; when a better one
/// has been heard for a while without a break, it is used again.
///
///     used --(silent for `silentAfter`, another is heard)--> the best that is heard
///     used --(a better one is heard for `steadyAfter`)-----> the better one
///
/// Better is a path by another interface whose round trip is far shorter; where that is not known or
/// about the same, the one that was found first, IPv4 before link-local IPv6. Two addresses on one
/// interface share a cable or a radio: that one was quicker lately is the radio's mood.
public struct PathTable: Sendable {
  /// Why another path is used now.
  public enum Change: Hashable, Sendable {
    /// The one before has fallen silent.
    case failed
    /// A better one holds.
    case better
  }

  private struct Entry: Sendable {
    let path: PathAddress
    /// The lower, the sooner it was found.
    let order: UInt64
    var lastHeard: HostInstant
    /// Since when it is heard without a break.
    var heardSince: HostInstant
    /// How often it was heard since the path in use was.
    var heardAlone = 0
    var roundTrips = RoundTrips()

    init(_ path: PathAddress, order: UInt64, at now: HostInstant) {
      self.path = path
      self.order = order
      lastHeard = now
      heardSince = now
    }
  }

  private let rules: PathRules
  /// The one in use comes first.
  private var entries: [Entry]
  private var lastOrder: UInt64 = 0
  private var usedSince: HostInstant

  /// Begins with the one path on which the peer was heard first.
  public init(_ path: PathAddress, policy: PathPolicy = PathPolicy(), at now: HostInstant) {
    self.init(path, rules: PathRules(policy), at: now)
  }

  /// The same, by numbers that are shared with other tables.
  init(_ path: PathAddress, rules: PathRules, at now: HostInstant) {
    self.rules = rules
    usedSince = now
    entries = [Entry(path, order: 0, at: now)]
  }

  private var policy: PathPolicy { rules.policy }

  /// The path in use.
  public var used: PathAddress { entries[0].path }

  /// Every path that is known, in order.
  public var all: [PathAddress] { entries.map(\.path).sorted() }

  /// How many paths are known.
  public var count: Int { entries.count }

  /// For how long nothing was heard on `path`; nothing where it is not known.
  public func silence(of path: PathAddress, at now: HostInstant) -> Duration? {
    entry(path).map { now - $0.lastHeard }
  }

  /// When the path in use was heard last.
  public var lastHeard: HostInstant { entries[0].lastHeard }

  /// Whether the path in use has been silent for so long that others may take over.
  public func isSilent(at now: HostInstant) -> Bool { now - lastHeard >= policy.silentAfter }

  /// The shortest of the latest round trips on `path`, once enough of them were measured.
  public func roundTrip(on path: PathAddress) -> Duration? { entry(path)?.roundTrips.least }

  /// Takes note that the peer was heard on `path`. Beyond the limit the path that was not heard
  /// for longest is forgotten, never the one in use.
  public mutating func heard(on path: PathAddress, at now: HostInstant) {
    guard let place = entries.firstIndex(where: { $0.path == path }) else {
      makeRoom()
      guard entries.count < policy.most else { return }
      lastOrder += 1
      entries.append(Entry(path, order: lastOrder, at: now))
      entries[entries.count - 1].heardAlone = 1
      return
    }
    if now - entries[place].lastHeard > policy.brokenAfter { entries[place].heardSince = now }
    entries[place].lastHeard = max(now, entries[place].lastHeard)
    entries[place].heardAlone += 1
    if place == 0 { countAnew() }
  }

  /// Takes note that a question on `path` was answered after `roundTrip`.
  public mutating func answered(on path: PathAddress, after roundTrip: Duration) {
    guard roundTrip > .zero, let place = entries.firstIndex(where: { $0.path == path }) else {
      return
    }
    entries[place].roundTrips.note(roundTrip)
  }

  /// Uses another path where it is time to; why it does.
  public mutating func choose(at now: HostInstant) -> Change? {
    guard entries.count > 1 else { return nil }
    let heard = entries.dropFirst().filter { now - $0.lastHeard < policy.silentAfter }
    if isSilent(at: now) {
      guard let best = best(of: heard.filter { $0.heardAlone >= policy.leastHeard }) else {
        return nil
      }
      use(best.path, at: now)
      return .failed
    }
    guard now - usedSince >= policy.steadyAfter,
      let best = best(of: heard.filter { now - $0.heardSince >= policy.steadyAfter }),
      Self.isBetter(best, than: entries[0])
    else { return nil }
    use(best.path, at: now)
    return .better
  }

  /// Whether `one` is to be preferred to `other`; never where one of them is not known.
  public func isBetter(_ one: PathAddress, than other: PathAddress) -> Bool {
    guard one != other, let first = entry(one), let second = entry(other) else { return false }
    return Self.isBetter(first, than: second)
  }

  /// Which of the paths by other interfaces are to be measured, to know whether one is the better.
  public enum Measuring: Hashable, Sendable {
    case none
    /// Those that were not yet asked often enough to tell.
    case unknown
    case all
  }

  /// The paths to ask now and then although they are not used: the better ones, which may be back;
  /// and, where the peer's clock is followed, those by other interfaces that are to be measured.
  public func others(measuring: Measuring) -> [PathAddress] {
    entries.dropFirst().filter { entry in
      if Self.isBetter(entry, than: entries[0]) { return true }
      guard entry.path.interface != used.interface else { return false }
      switch measuring {
      case .none: return false
      case .unknown: return entry.roundTrips.least == nil
      case .all: return true
      }
    }.map(\.path).sorted()
  }

  private static func isBetter(_ one: Entry, than other: Entry) -> Bool {
    if one.path.interface != other.path.interface, let mine = one.roundTrips.least,
      let theirs = other.roundTrips.least,
      let isShorter = RoundTrips.isFarShorter(mine, than: theirs)
    {
      return isShorter
    }
    if one.path.isLinkLocal6 != other.path.isLinkLocal6 { return other.path.isLinkLocal6 }
    return one.order < other.order
  }

  /// "Far shorter" is no order among several: the first one found that no later one beats.
  private func best(of some: [Entry]) -> Entry? {
    some.sorted { $0.order < $1.order }.max { Self.isBetter($1, than: $0) }
  }

  private func entry(_ path: PathAddress) -> Entry? { entries.first { $0.path == path } }

  private mutating func use(_ path: PathAddress, at now: HostInstant) {
    guard let place = entries.firstIndex(where: { $0.path == path }) else { return }
    entries.swapAt(0, place)
    usedSince = now
    countAnew()
  }

  private mutating func countAnew() {
    for place in entries.indices { entries[place].heardAlone = 0 }
  }

  private mutating func makeRoom() {
    guard entries.count >= policy.most else { return }
    let oldest = entries.indices.dropFirst().min {
      (entries[$0].lastHeard, entries[$0].path) < (entries[$1].lastHeard, entries[$1].path)
    }
    if let oldest { entries.remove(at: oldest) }
  }
}
