public import Units

// Where time comes from this host's own wall clock.
extension TimeKeeper {
  /// Whether time comes from this host's own wall clock.
  public var isOnSystemTime: Bool { system != nil }

  /// Takes in a reading of the wall clock, where time comes from it.
  public mutating func add(
    _ reading: SystemTimeReading, activity: Activity, at now: HostInstant
  ) -> [Event] {
    guard var timeline = system else { return [] }
    let generation = clock.map?.generation
    let events = timeline.add(reading, activity: activity).map(Event.system)
    system = timeline
    if let map = timeline.map { clock.take(map, at: now) }
    return events + (clock.map?.generation == generation ? [] : announcement)
  }

  /// By how much this host's session time is ahead of the coordinator's at `now`, and what both
  /// may be off by together; nothing while there is nothing to compare.
  public func disagreement(
    at now: HostInstant
  ) -> (nanoseconds: Int64, boundNanoseconds: Int64)? {
    guard system != nil, let own = clock.map, let theirMap, theirMap.session == own.session,
      let estimate
    else { return nil }
    let theirs = estimate.other(at: now)
    let ahead = own.shared(at: now).nanoseconds - theirMap.shared(at: theirs).nanoseconds
    return (
      ahead,
      own.boundNanoseconds(at: now) + theirMap.boundNanoseconds(at: theirs)
        + estimate.jitterBoundNanoseconds(at: now) + estimate.pathLimitNanoseconds
    )
  }
}
