internal import FileIO
internal import HostClock
internal import PeerCore
internal import Synchronization
internal import Units

/// Writes a clock's time to its state directory, away from the event loop: disks may be slow.
///
/// Of several states that wait, the newest is written.
final class StateKeeper: Sendable {
  /// What waits to be written.
  private struct Wish {
    var time: StoredTime?
    var peer: PeerID?
  }

  private struct State {
    var next = Wish()
    var isWriting = false
    var isClosing = false
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let directory: StateDirectory
  private let topics: ClockTopics
  private let line = SideLine(name: "clock state")
  private let state = Mutex(State())

  /// Makes the keeper of a directory; what goes wrong is noted under `topics`.
  init(directory: StateDirectory, topics: ClockTopics) {
    self.directory = directory
    self.topics = topics
  }

  /// Has the state written soon.
  func keep(_ time: StoredTime) {
    work { $0.next.time = time }
  }

  /// Has this host's new id written soon.
  func keep(_ peer: PeerID) {
    work { $0.next.peer = peer }
  }

  /// Has what waits written, and then the directory given free.
  func close() { work { $0.isClosing = true } }

  /// Returns when the directory is free; where its disk does not answer, after `patience`.
  func waitUntilClosed(_ patience: Duration = .seconds(2)) async {
    let timer = Task {
      do { try await Task.sleep(for: patience) } catch { return }
      release()
    }
    defer { timer.cancel() }
    await withCheckedContinuation { waiter in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.waiters.append(waiter) }
        return state.isClosed
      }
      if isClosed { waiter.resume() }
    }
  }

  private func work(_ change: (inout State) -> Void) {
    let begins = state.withLock { state in
      change(&state)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if begins { line.add { self.writeAll() } }
  }

  private func writeAll() {
    while let wish = take() {
      do throws(PeerClockError) {
        if let peer = wish.peer { try directory.rekey(peer) }
        if let time = wish.time { try directory.keep(time, clock: HostClock()) }
      } catch { topics.changes.publish(.note(error.description)) }
    }
    if state.withLock({ $0.isClosed }) { release() }
  }

  /// Lets those go on that wait.
  private func release() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// The next state to be written. Where there is none the writing is over, and the directory
  /// given free if it is to be closed: both under the lock, so that no wish falls in between.
  private func take() -> Wish? {
    state.withLock { state in
      defer { state.next = Wish() }
      let next = state.next
      guard next.time == nil, next.peer == nil else { return next }
      state.isWriting = false
      if state.isClosing && !state.isClosed {
        directory.release()
        state.isClosed = true
      }
      return nil
    }
  }
}
