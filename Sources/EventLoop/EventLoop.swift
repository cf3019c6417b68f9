internal import CLinux
internal import Glibc
public import HostClock
internal import Synchronization
public import Units

/// A thread that waits for descriptors and times, and on which an actor can live.
///
/// Jobs of the actors that name the loop as their executor run on its thread, in order; so do
/// the handlers of descriptors and timers, which may therefore enter such an actor by
/// `assumeIsolated`. Nothing that blocks or computes belongs here.
///
/// Waits are relative and are worked out anew from the host's clock at each turn: no deadline is
/// ever handed to the kernel in a clock that might be bent.
public final class EventLoop: SerialExecutor, TaskExecutor {
  /// What a loop could not do.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call that failed.
    public let function: String
    /// The error number that it gave.
    public let code: Int32
    public var description: String {
      "the event loop cannot run: \(function): \(String(cString: strerror(code)))"
    }
  }

  /// A descriptor or a timer that the loop watches.
  public struct Token: Hashable, Sendable {
    let number: UInt64
  }

  private enum Entry {
    case job(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct Inbox {
    var entries: [Entry] = []
    var stopped = false
  }

  private let inbox = Mutex(Inbox())
  private let wake: Int32
  private let clock: HostClock
  private let thread = Mutex<pthread_t?>(nil)
  /// Safe to share: it is touched on the loop's own thread only, which `state` checks.
  nonisolated(unsafe) private let unguarded: LoopState

  private var state: LoopState {
    precondition(isCurrent, "the loop's watches are changed on its own thread only")
    return unguarded
  }

  /// Starts a loop's thread under `name` (15 bytes are kept).
  public init(name: String, clock: HostClock = HostClock()) throws(Failure) {
    let wake = linux_eventfd()
    guard wake >= 0 else { throw Failure(function: "eventfd", code: -wake) }
    let epoll = linux_epoll_create()
    guard epoll >= 0 else {
      close(wake)
      throw Failure(function: "epoll_create1", code: -epoll)
    }
    let status = linux_epoll_watch(epoll, wake, LoopState.wakeTag, true, false, false)
    guard status >= 0 else {
      close(wake)
      close(epoll)
      throw Failure(function: "epoll_ctl", code: -status)
    }
    self.wake = wake
    self.clock = clock
    unguarded = LoopState(epoll: epoll)
    let code = start(name: name)
    guard code == 0 else { throw Failure(function: "pthread_create", code: code) }
  }

  deinit {
    close(wake)
    close(unguarded.epoll)
  }

  /// Whether the caller runs on the loop's thread.
  public var isCurrent: Bool {
    thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    add(.job(job))
  }

  /// Calls `work` on the loop's thread, behind all that waits there already.
  public func perform(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

  private func add(_ entry: Entry) {
    inbox.withLock { $0.entries.append(entry) }
    linux_eventfd_signal(wake)
  }

  public func checkIsolated() {
    precondition(isCurrent, "this runs on its event loop only")
  }

  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Ends the loop's thread after the jobs that are waiting. What is enqueued later never runs,
  /// so whoever owns an actor on the loop stops the actor first.
  public func stop() {
    inbox.withLock { $0.stopped = true }
    linux_eventfd_signal(wake)
  }
}

// Watches: on the loop's thread only.
extension EventLoop {
  /// Calls `handler` on the loop whenever `descriptor` can be read, written where `output` is
  /// wanted too, or is broken.
  public func watch(
    _ descriptor: Int32, output: Bool = false, handler: @escaping @Sendable (Readiness) -> Void
  ) throws(Failure) -> Token {
    let token = state.newToken()
    let status = linux_epoll_watch(
      state.epoll, descriptor, token.number, true, output, false)
    guard status >= 0 else { throw Failure(function: "epoll_ctl", code: -status) }
    state.descriptors[token.number] = (descriptor, handler)
    return token
  }

  /// Says whether writability of a watched descriptor is of interest.
  public func want(output: Bool, of token: Token) {
    guard let (descriptor, _) = state.descriptors[token.number] else { return }
    _ = linux_epoll_watch(state.epoll, descriptor, token.number, true, output, true)
  }

  /// Watches the descriptor no more; its owner closes it.
  public func forget(_ token: Token) {
    if let (descriptor, _) = state.descriptors.removeValue(forKey: token.number) {
      _ = linux_epoll_forget(state.epoll, descriptor)
    }
    state.timers[token.number] = nil
  }

  /// Makes a timer, not yet set, which calls `handler` on the loop when its time has come.
  public func makeTimer(handler: @escaping @Sendable () -> Void) -> Token {
    let token = state.newToken()
    state.timers[token.number] = LoopState.Timer(due: nil, handler: handler)
    return token
  }

  /// Sets a timer, in place of any time it had; nothing: never.
  public func set(_ token: Token, to instant: HostInstant?) {
    state.timers[token.number]?.due = instant
  }
}

// The thread.
extension EventLoop {
  private func start(name: String) -> Int32 {
    let box = Unmanaged.passRetained(Start(loop: self, name: name))
    var made = pthread_t()
    let code = pthread_create(
      &made, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        linux_set_thread_name(start.name)
        start.loop.thread.withLock { $0 = pthread_self() }
        start.loop.run()
        return nil
      }, box.toOpaque())
    if code == 0 { pthread_detach(made) } else { box.release() }
    return code
  }

  private final class Start {
    let loop: EventLoop
    let name: String

    init(loop: EventLoop, name: String) {
      self.loop = loop
      self.name = name
    }
  }

  private func run() {
    var events = [linux_event](repeating: linux_event(), count: 64)
    while true {
      let (entries, stopped) = inbox.withLock { inbox in
        defer { inbox.entries = [] }
        return (inbox.entries, inbox.stopped)
      }
      for entry in entries { run(entry) }
      if stopped && entries.isEmpty { break }
      unguarded.fireTimers(at: clock.now())
      let pending = stopped || inbox.withLock { !$0.entries.isEmpty }
      let wait = pending ? 0 : unguarded.wait(at: clock.now())
      let count = linux_epoll_wait(unguarded.epoll, &events, Int32(events.count), wait)
      for event in events.prefix(Int(max(count, 0))) { handle(event) }
    }
    unguarded.clear()
  }

  private func run(_ entry: Entry) {
    switch entry {
    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .work(let work): work()
    }
  }

  private func handle(_ event: linux_event) {
    if event.tag == LoopState.wakeTag {
      linux_eventfd_drain(wake)
      return
    }
    unguarded.descriptors[event.tag]?.handler(
      Readiness(
        readable: event.readable, writable: event.writable, broken: event.hung_up))
  }
}
