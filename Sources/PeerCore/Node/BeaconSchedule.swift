public import Units

/// Says when to send beacons: a burst at the start, ten at a brisk pace, then now and then; and one
/// soon after somebody new was met, so that two groups that meet at one place meet everywhere.
public struct BeaconSchedule: Sendable {
  private static let briskCount = 10
  /// The least time between two beacons when they are hastened.
  static let leastInterval = Duration.milliseconds(200)

  private let policy: PeerNodePolicy
  private let start: HostInstant
  private var sent = 0
  private var last: HostInstant?
  /// When the next beacon is due.
  public private(set) var next: HostInstant

  /// Begins at `start`.
  public init(policy: PeerNodePolicy, at start: HostInstant) {
    self.policy = policy
    self.start = start
    next = start + (policy.beaconBurst.first ?? .zero)
  }

  /// Whether a beacon is due at `now`; if so, it is taken as sent.
  public mutating func takeDue(at now: HostInstant) -> Bool {
    guard next <= now else { return false }
    sent += 1
    last = now
    if sent < policy.beaconBurst.count {
      next = max(start + policy.beaconBurst[sent], now + .milliseconds(1))
    } else if sent < policy.beaconBurst.count + Self.briskCount {
      next = now + policy.beaconInterval
    } else {
      next = now + policy.settledBeaconInterval
    }
    return true
  }

  /// Has the next beacon sent as soon as manners allow.
  public mutating func hasten(at now: HostInstant) {
    next = min(next, last.map { max(now, $0 + Self.leastInterval) } ?? now)
  }
}
