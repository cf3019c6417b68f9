internal import Units

/// What a host goes by while it does not know a new coordinator's clock well yet: the map that it
/// had on the timeline before.
///
/// The new coordinator goes on with that timeline, but only as well as it knew it. So against the
/// timeline as it goes on the old map is off by its own bound and by the one that the coordinator
/// has inherited.
struct Handover: Sendable {
  /// The map, with its bounds against the timeline before.
  let map: ClockMap

  /// The same line at `now`, with bounds against the timeline that `coordinator` goes on with, whose
  /// clock reads `theirs` then. The bound grows as it did: what the coordinator's own adds to it comes
  /// with each of its replies.
  func map(on coordinator: ClockMap, reading theirs: HostInstant, at now: HostInstant) -> ClockMap {
    ClockMap(
      session: map.session, generation: map.generation, hostAnchor: now,
      sharedAnchor: map.shared(at: now), skew: map.skew,
      jitterBoundNanoseconds: map.jitterBoundNanoseconds(at: now)
        + coordinator.jitterBoundNanoseconds(at: theirs),
      pathLimitNanoseconds: map.pathLimitNanoseconds + coordinator.pathLimitNanoseconds,
      boundGrowth: map.boundGrowth)
  }
}
