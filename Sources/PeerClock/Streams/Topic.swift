internal import Synchronization

/// Where one kind of event is published, and who listens.
final class Topic<Element: Sendable>: Sendable {
  /// What a consumer gets that comes later.
  enum Memory: Sendable {
    /// What happened while nobody listened.
    case backlog
    /// The state of things now: `merge` brings it up to date with each new element.
    case current(merge: @Sendable (inout [Element], Element) -> Void)
  }

  /// The most elements that wait for one consumer, and the most that wait for the first of them.
  static var mostWaiting: Int { 1024 }

  private struct State {
    var consumers: [UInt64: AsyncStream<Element>.Continuation] = [:]
    var lastConsumer: UInt64 = 0
    var remembered: [Element] = []
    var dropped: UInt64 = 0
    var finished = false
  }

  private let memory: Memory
  private let newestOnly: Bool
  private let state = Mutex(State())

  /// Makes a topic; where `newestOnly`, a slow consumer sees the newest element alone.
  init(_ memory: Memory, newestOnly: Bool = false) {
    self.memory = memory
    self.newestOnly = newestOnly
  }

  /// How many elements were lost, each for one consumer that did not keep up.
  var dropped: UInt64 { state.withLock { $0.dropped } }

  /// Gives `element` to all who listen. One thread publishes, so that all get the same order.
  func publish(_ element: Element) {
    let consumers = state.withLock { state -> [AsyncStream<Element>.Continuation] in
      guard !state.finished else { return [] }
      remember(element, in: &state)
      return Array(state.consumers.values)
    }
    // Outside of the lock: giving it resumes a task, which waits for a cancellation of that task that
    // is going on, which ends the stream and waits for the lock.
    var lost: UInt64 = 0
    for consumer in consumers {
      if case .dropped = consumer.yield(element), !newestOnly { lost += 1 }
    }
    if lost > 0 { state.withLock { $0.dropped += lost } }
  }

  /// Ends the sequence for all who listen, and for all who will.
  func finish() {
    let consumers = state.withLock { state in
      state.finished = true
      defer { state.consumers = [:] }
      return state.consumers
    }
    for consumer in consumers.values { consumer.finish() }
  }

  /// Begins to listen.
  func subscribe() -> AsyncStream<Element> {
    let policy: AsyncStream<Element>.Continuation.BufferingPolicy =
      .bufferingNewest(newestOnly ? 1 : Self.mostWaiting)
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    let number = state.withLock { state -> UInt64? in
      for element in state.remembered { continuation.yield(element) }
      if case .backlog = memory { state.remembered = [] }
      guard !state.finished else { return nil }
      state.lastConsumer += 1
      state.consumers[state.lastConsumer] = continuation
      return state.lastConsumer
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.leave(number) }
    return stream
  }

  private func leave(_ number: UInt64) {
    // The continuation goes out of the lock before it is released: its end may call back.
    _ = state.withLock { $0.consumers.removeValue(forKey: number) }
  }

  private func remember(_ element: Element, in state: inout State) {
    switch memory {
    case .current(let merge): merge(&state.remembered, element)
    case .backlog:
      guard state.consumers.isEmpty else { return }
      if state.remembered.count == Self.mostWaiting {
        state.remembered.removeFirst()
        state.dropped += 1
      }
      state.remembered.append(element)
    }
  }
}
