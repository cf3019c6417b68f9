internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread of its own for work with a deadline, or for work that blocks.
public final class RealtimeThread: Sendable {
  private struct State {
    var ended = false
    var gotPriority: Bool?
  }

  private let state = Mutex(State())
  private let ended = Event()

  /// Starts `body` on a thread named `name` (15 bytes are kept), with a real-time priority of
  /// 1 to 99 where one is asked for and this user may have it.
  public init(name: String, priority: Int32? = nil, body: @escaping @Sendable () -> Void) {
    let start = Start(name: name, priority: priority, thread: self, body: body)
    let box = Unmanaged.passRetained(start)
    var made = pthread_t()
    let code = pthread_create(
      &made, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    precondition(code == 0, "the system gives a thread")
    pthread_detach(made)
  }

  /// Whether the thread has the priority that was asked for; nothing before it runs.
  public var isRealtime: Bool? { state.withLock { $0.gotPriority } }

  /// Waits until the thread's body has returned.
  public func join() { ended.wait() }

  private final class Start {
    let name: String
    let priority: Int32?
    let thread: RealtimeThread
    let body: @Sendable () -> Void

    init(
      name: String, priority: Int32?, thread: RealtimeThread, body: @escaping @Sendable () -> Void
    ) {
      self.name = name
      self.priority = priority
      self.thread = thread
      self.body = body
    }

    func run() {
      linux_set_thread_name(name)
      let status = priority.map { linux_set_realtime_priority($0) }
      // Without the priority its naps would end late by the slack that the kernel gives to others.
      if priority != nil { linux_set_timer_slack(1) }
      thread.state.withLock { $0.gotPriority = status.map { $0 >= 0 } ?? false }
      body()
      thread.ended.signal()
    }
  }
}

/// Something that happens once, and that others wait for.
final class Event: Sendable {
  private let descriptor = linux_eventfd()

  deinit { close(descriptor) }

  func signal() { linux_eventfd_signal(descriptor) }

  func wait() {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while Glibc.poll(&poll, 1, -1) < 0 && errno == EINTR {}
  }
}
