public import Units

/// Says when to send beacons: a burst at the start, ten at a brisk pace, then now and then.
public struct BeaconSchedule: Sendable {
  private static let briskCount = 10

  private let policy: PeerNodePolicy
  private let start: HostInstant
  private var sent = 0
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
    if sent < policy.beaconBurst.count {
      next = max(start + policy.beaconBurst[sent], now + .milliseconds(1))
    } else if sent < policy.beaconBurst.count + Self.briskCount {
      next = now + policy.beaconInterval
    } else {
      next = now + policy.settledBeaconInterval
    }
    return true
  }
}
