public import Units

/// Watches for another host that lives under this host's id, as after a disk was copied, and
/// decides which of the two takes another id.
///
/// Whoever is busy keeps its id, and else whoever has run for longer; so nothing changes for the
/// others, nor in a take. Only a twin that has proved that it lives counts: what this host said in
/// an earlier run can be played again by anyone.
public struct TwinWatch: Sendable {
  /// The most twins that are reported.
  static let mostTwins = 16
  /// Spans that differ by less, in seconds, count as equal: they travel in whole seconds.
  static let tolerance: Int64 = 3

  /// What weighs when one of two is to take another id.
  public struct Claim: Hashable, Sendable {
    public let activity: Activity
    public let uptimeSeconds: UInt32
    public let incarnation: Incarnation

    /// Makes a claim.
    public init(activity: Activity, uptimeSeconds: UInt32, incarnation: Incarnation) {
      self.activity = activity
      self.uptimeSeconds = uptimeSeconds
      self.incarnation = incarnation
    }

    /// Whether this one gives way to `other`: while it is busy, never.
    public func yields(to other: Claim) -> Bool {
      guard activity == .idle else { return false }
      guard other.activity == .idle else { return true }
      let longer = Int64(uptimeSeconds) - Int64(other.uptimeSeconds)
      if longer.magnitude >= UInt64(TwinWatch.tolerance) { return longer < 0 }
      let mine = (incarnation.count, incarnation.nonce)
      return mine > (other.incarnation.count, other.incarnation.nonce)
    }
  }

  private var known: Set<Incarnation> = []

  /// Begins without twins.
  public init() {}

  /// Takes note of a twin that lives; whether it was not known before.
  public mutating func meet(_ twin: Incarnation) -> Bool {
    known.count < Self.mostTwins && known.insert(twin).inserted
  }
}
