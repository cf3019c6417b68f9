internal import EventLoop
internal import HostClock
internal import PeerClock
internal import Synchronization
internal import Units

/// Events on their way to one clock's event loop, each with its time of arrival.
final class Mailbox: Sendable {
  private struct Letter {
    let event: TransportEvent
    let due: HostInstant
  }

  private struct State {
    /// In order of arrival; those of one time in the order in which they were sent.
    var letters: [Letter] = []
    var timer: EventLoop.Token?
    var isClosed = false
  }

  private let loop: EventLoop
  private let events: @Sendable (TransportEvent) -> Void
  private let state = Mutex(State())
  private let clock = HostClock()

  init(loop: EventLoop, events: @escaping @Sendable (TransportEvent) -> Void) {
    self.loop = loop
    self.events = events
  }

  /// Has `event` arrive at `due`.
  func put(_ event: TransportEvent, at due: HostInstant) {
    state.withLock { state in
      let place = state.letters.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
      state.letters.insert(Letter(event: event, due: due), at: place)
    }
    loop.perform { [weak self] in self?.deliver() }
  }

  func close() {
    let timer = state.withLock { state in
      state.isClosed = true
      state.letters = []
      defer { state.timer = nil }
      return state.timer
    }
    if let timer { loop.forget(timer) }
  }

  private func deliver() {
    while let event = state.withLock({ take(&$0) }) { events(event) }
    let (next, isClosed) = state.withLock { ($0.letters.first?.due, $0.isClosed) }
    guard !isClosed else { return }
    loop.set(timer(), to: next)
  }

  private func take(_ state: inout State) -> TransportEvent? {
    guard let first = state.letters.first, first.due <= clock.now() else { return nil }
    return state.letters.removeFirst().event
  }

  private func timer() -> EventLoop.Token {
    if let timer = state.withLock({ $0.timer }) { return timer }
    let made = loop.makeTimer { [weak self] in self?.deliver() }
    state.withLock { $0.timer = made }
    return made
  }
}
