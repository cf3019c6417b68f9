public import Units

/// What weighs when two coordinators meet: who knows time well before who guesses it, then more
/// rolling hosts, then more hosts, then the longer tenure, then the smaller id.
public struct Standing: Hashable, Sendable {
  public let grade: TimeGrade
  public let rollingCount: UInt16
  public let hostCount: UInt16
  public let tenureSeconds: UInt32
  public let peer: PeerID

  /// Makes a standing.
  public init(
    grade: TimeGrade = .good, rollingCount: UInt16, hostCount: UInt16, tenureSeconds: UInt32,
    peer: PeerID
  ) {
    self.grade = grade
    self.rollingCount = rollingCount
    self.hostCount = hostCount
    self.tenureSeconds = tenureSeconds
    self.peer = peer
  }

  /// Whether this standing prevails over `other`.
  ///
  /// Tenures travel in whole seconds and age on their way, so that two which differ by 2 s or
  /// less count as alike: else each side could hold its own for the longer.
  public func prevails(over other: Standing) -> Bool {
    if grade != other.grade { return grade > other.grade }
    if rollingCount != other.rollingCount { return rollingCount > other.rollingCount }
    if hostCount != other.hostCount { return hostCount > other.hostCount }
    let difference = Int64(tenureSeconds) - Int64(other.tenureSeconds)
    if difference.magnitude > 2 { return difference > 0 }
    return peer < other.peer
  }
}
