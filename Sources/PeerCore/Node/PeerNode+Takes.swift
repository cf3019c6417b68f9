public import Units

extension PeerNode {
  /// Tells all hosts, those that come later too, of a take: that it is to begin, or that it is
  /// stopped. What this host already knew of it counts too: see ``TakeState/merged(with:)``.
  public mutating func noteTake(_ take: TakeState, at now: HostInstant) -> [PeerAction] {
    if takeLedger.note(take, in: session?.id) { heartbeat.hasten(at: now) }
    return announceTakes()
  }

  /// Takes in what a heartbeat says of takes; what is news is told on at once.
  mutating func learn(_ takes: [TakeState], at now: HostInstant) -> [PeerAction] {
    var isNews = false
    for take in takes where takeLedger.heard(take, in: session?.id) { isNews = true }
    guard isNews else { return [] }
    heartbeat.hasten(at: now)
    return announceTakes()
  }

  /// The instants of a take mean something only within its session, and once that can be read.
  mutating func announceTakes() -> [PeerAction] {
    guard clockMap != nil else { return [] }
    return takeLedger.announcements(in: session?.id).map { .take($0) }
  }
}
