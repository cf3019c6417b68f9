internal import HostClock
internal import PeerCore
internal import Synchronization
internal import Units

/// What any thread may read of a clock at any time; the service writes it at the end of a turn.
final class ClockReadout: Sendable {
  /// What is known, all of one moment.
  struct Contents: Sendable {
    var me: PeerID?
    var clock: SessionClock?
    var coordinator: PeerID?
    var peers: [Peer] = []
  }

  private struct State {
    var contents = Contents()
    var generation: UInt32 = 0
    var last = Int64.min
  }

  private let state = Mutex(State())
  private let hostClock = HostClock()

  var contents: Contents { state.withLock { $0.contents } }

  func publish(_ contents: Contents) { state.withLock { $0.contents = contents } }

  /// What the displayed clock shows now; nothing while the host is unsynced. Within a generation
  /// every reading, on whatever thread, is greater than the one before.
  func now() -> SharedInstant? {
    state.withLock { state in
      // The host's clock is read under the lock: else a later reading could come in earlier.
      let instant = hostClock.now()
      guard let clock = state.contents.clock, let shown = clock.reading(at: instant) else {
        return nil
      }
      let generation = clock.map?.generation ?? 0
      if generation != state.generation { state.last = .min }
      state.generation = generation
      state.last = max(shown.nanoseconds, state.last == .min ? .min : state.last + 1)
      return SharedInstant(nanoseconds: state.last)
    }
  }

  /// Shared and host time of one moment, as the estimator's map has them.
  func pair() -> (host: HostInstant, shared: SharedInstant)? {
    guard let map = contents.clock?.map else { return nil }
    let now = hostClock.now()
    return (now, map.shared(at: now))
  }
}
