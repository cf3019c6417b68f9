internal import PeerCore
internal import Units

/// How far the hosts' shared times lay apart at one instant.
public struct SyncSample: Sendable {
  public let time: Duration
  /// The error of each host that has shared time, by its number: its reading minus that of its
  /// session's timeline, in nanoseconds.
  public let errors: [Int: Int64]
  /// The bound that each of those hosts claims, in nanoseconds.
  public let bounds: [Int: Int64]
  /// The jitter bound that each of those hosts claims, in nanoseconds.
  public let jitterBounds: [Int: Int64]
  /// The number of running hosts.
  public let running: Int
  /// The number of sessions among them.
  public let sessions: Int
  /// The number of hosts that hold themselves for the coordinator.
  public let coordinators: Int

  /// The largest error, in nanoseconds.
  public var worst: Int64 { errors.values.map { Int64($0.magnitude) }.max() ?? 0 }

  /// Whether every running host reads the same session's time.
  public var isShared: Bool { errors.count == running && sessions == 1 && running > 0 }
}

extension Fleet {
  /// Looks at all clocks at once.
  ///
  /// The timeline of a session is what its coordinator reads; where there is none, what the first
  /// of its hosts reads.
  func look() -> SyncSample {
    var readings: [Int: (session: SessionID, value: SharedInstant)] = [:]
    var bounds: [Int: Int64] = [:]
    var jitterBounds: [Int: Int64] = [:]
    for host in hosts {
      guard let map = host.node?.clockMap else { continue }
      readings[host.number] = (map.session, map.shared(at: host.clock))
      bounds[host.number] = map.boundNanoseconds(at: host.clock)
      jitterBounds[host.number] = map.jitterBoundNanoseconds(at: host.clock)
    }
    var errors: [Int: Int64] = [:]
    let sessions = Set(readings.values.map(\.session))
    for session in sessions {
      let members = readings.filter { $0.value.session == session }
      let leaders = coordinators.filter { members[$0] != nil }
      guard let reference = (leaders.min() ?? members.keys.min()).flatMap({ members[$0]?.value })
      else { continue }
      for (number, reading) in members {
        errors[number] = reading.value.nanoseconds - reference.nanoseconds
      }
    }
    return SyncSample(
      time: world.now, errors: errors, bounds: bounds, jitterBounds: jitterBounds,
      running: hosts.count(where: \.isUp), sessions: sessions.count,
      coordinators: coordinators.count)
  }

  /// The samples from `start` to `end`.
  public func samples(after start: Duration, until end: Duration = .seconds(1 << 40))
    -> [SyncSample]
  {
    samples.filter { $0.time > start && $0.time <= end }
  }

  /// The largest error of any host after `start`.
  public func worstSyncError(
    after start: Duration = .zero, until end: Duration = .seconds(1 << 40)
  ) -> Duration {
    .nanoseconds(samples(after: start, until: end).map(\.worst).max() ?? 0)
  }

  /// The bound that the host with the largest error after `start` claimed when it had it.
  public func boundThen(after start: Duration = .zero) -> Duration {
    let worst = samples(after: start).max { $0.worst < $1.worst }
    let host = worst?.errors.max { $0.value.magnitude < $1.value.magnitude }?.key
    return .nanoseconds(host.flatMap { worst?.bounds[$0] } ?? 0)
  }

  /// The share of all readings after `start` whose error lies within the bound claimed.
  public func shareWithinBound(after start: Duration = .zero) -> Double {
    let readings = samples(after: start).flatMap { sample in
      sample.errors.map { Int64($0.value.magnitude) <= sample.bounds[$0.key] ?? 0 }
    }
    guard !readings.isEmpty else { return 1 }
    return Double(readings.count { $0 }) / Double(readings.count)
  }

  /// When all running hosts first read the same time to within `limit`, and kept it for a second.
  public func synchronized(within limit: Duration, after start: Duration = .zero) -> Duration? {
    let all = samples(after: start)
    let needed = Int(1 / Self.sampleInterval.inSeconds)
    var run = 0
    for sample in all {
      run = sample.isShared && sample.worst < limit.wholeNanoseconds ? run + 1 : 0
      if run == needed { return sample.time - Self.sampleInterval * (needed - 1) }
    }
    return nil
  }
}
