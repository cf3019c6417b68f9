internal import CLinux
internal import Glibc
internal import Synchronization

/// Calls that may never return, such as to a disk that hangs or a folder whose server is gone: they
/// are made one after another on a thread beside the callers', who wait only as long as they like.
///
/// The thread is there while there is something to do.
public final class SideLine: Sendable {
  /// The most calls that wait for their turn.
  public static let mostWaiting = 64

  private struct Call {
    let name: String?
    let make: @Sendable () -> Void
  }

  private struct Line {
    var waiting: [Call] = []
    /// Since when the call lasts that is being made.
    var begun: SuspendingClock.Instant?
    var hasThread = false
  }

  private let name: String
  private let line = Mutex(Line())

  /// Makes a line whose thread is called `name` (15 bytes are kept).
  public init(name: String) { self.name = name }

  /// How long the call has lasted that is being made; nothing between calls.
  public var silence: Duration? {
    line.withLock { line in line.begun.map { SuspendingClock.now - $0 } }
  }

  /// Has `call` made behind those that wait; one of the same `name` that waits is left out for it.
  ///
  /// - Returns: false where it is never made, since too many wait.
  @discardableResult
  public func add(_ name: String? = nil, _ call: @escaping @Sendable () -> Void) -> Bool {
    let begins = line.withLock { line -> Bool? in
      if let name, let place = line.waiting.firstIndex(where: { $0.name == name }) {
        line.waiting[place] = Call(name: name, make: call)
        return false
      }
      guard line.waiting.count < Self.mostWaiting else { return nil }
      line.waiting.append(Call(name: name, make: call))
      defer { line.hasThread = true }
      return !line.hasThread
    }
    guard let begins else { return false }
    return begins ? startThread() : true
  }

  /// What `call` gives, when its turn has come; nothing where it has not within `patience`, or too
  /// many wait. What has not been begun by then is never done.
  public func value<Value: Sendable>(
    within patience: Duration, _ call: @escaping @Sendable () -> Value
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let answer = Answer(continuation)
      let timer = Task {
        do { try await Task.sleep(for: patience) } catch { return }
        answer.give(nil)
      }
      let isTaken = add {
        guard answer.isAwaited else { return }
        answer.give(call())
        timer.cancel()
      }
      guard !isTaken else { return }
      timer.cancel()
      answer.give(nil)
    }
  }

  /// Somebody who waits for an answer, once.
  private final class Answer<Value: Sendable>: Sendable {
    private let waiter: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ waiter: CheckedContinuation<Value?, Never>) { self.waiter = Mutex(waiter) }

    var isAwaited: Bool { waiter.withLock { $0 != nil } }

    func give(_ value: Value?) {
      let waiter = waiter.withLock { waiter in
        defer { waiter = nil }
        return waiter
      }
      waiter?.resume(returning: value)
    }
  }
}

// The thread.
extension SideLine {
  private func startThread() -> Bool {
    let box = Unmanaged.passRetained(self)
    var made = pthread_t()
    let code = pthread_create(
      &made, nil,
      { argument in
        guard let argument else { return nil }
        let line = Unmanaged<SideLine>.fromOpaque(argument).takeRetainedValue()
        linux_set_thread_name(line.name)
        while let call = line.next() { call.make() }
        return nil
      }, box.toOpaque())
    guard code != 0 else {
      pthread_detach(made)
      return true
    }
    box.release()
    line.withLock { $0 = Line() }
    return false
  }

  private func next() -> Call? {
    line.withLock { line in
      guard !line.waiting.isEmpty else {
        line = Line()
        return nil
      }
      line.begun = .now
      return line.waiting.removeFirst()
    }
  }
}
