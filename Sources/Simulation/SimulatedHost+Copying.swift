// Disks that are copied, ids and all.
extension SimulatedHost {
  /// The disk of `other` is copied for this host, which does not run: it will start under the same id,
  /// and remember what the other kept; but no map, for that was of the other's clock.
  public func copyDisk(of other: SimulatedHost) {
    guard !isUp, !isBooting else { return }
    peer = other.peer
    runs = other.runs
    stored = other.stored.map { ($0.time, Self.otherEpoch) }
  }

  /// No boot of this host, nor sleep.
  private static let otherEpoch = -1
}
