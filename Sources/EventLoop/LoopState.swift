internal import Units

/// What a loop watches. Lives on the loop's thread.
final class LoopState {
  struct Timer {
    var due: HostInstant?
    let handler: @Sendable () -> Void
  }

  /// The tag of the descriptor that ends a wait.
  static let wakeTag: UInt64 = 0

  let epoll: Int32
  var descriptors: [UInt64: (descriptor: Int32, handler: @Sendable (Readiness) -> Void)] = [:]
  var timers: [UInt64: Timer] = [:]
  private var lastTag = wakeTag

  init(epoll: Int32) { self.epoll = epoll }

  func newToken() -> EventLoop.Token {
    lastTag += 1
    return EventLoop.Token(number: lastTag)
  }

  /// How long a wait may be from `now`, in nanoseconds; negative: for ever.
  func wait(at now: HostInstant) -> Int64 {
    guard let next = timers.values.compactMap(\.due).min() else { return -1 }
    return max(0, next.nanoseconds - now.nanoseconds)
  }

  /// Calls each timer that is due, in order of its time, once.
  func fireTimers(at now: HostInstant) {
    let due = timers.filter { $0.value.due.map { $0 <= now } ?? false }
      .sorted {
        ($0.value.due?.nanoseconds ?? 0, $0.key) < ($1.value.due?.nanoseconds ?? 0, $1.key)
      }
    for (tag, timer) in due where timers[tag]?.due == timer.due {
      timers[tag]?.due = nil
      timer.handler()
    }
  }

  func clear() {
    descriptors = [:]
    timers = [:]
  }
}
