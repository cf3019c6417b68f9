internal import Alignment
internal import Glibc
internal import Synchronization

/// Does pieces of work on threads of its own, no more at once than there are processors: pieces of
/// work that part themselves find helpers only where others have none to do.
struct ThreadWorkers: Workers {
  private let threads: Int
  private let idle: IdleHelpers

  var width: Int { threads }

  init(threads: Int = max(1, min(16, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))) {
    self.threads = threads
    idle = IdleHelpers(count: threads - 1)
  }

  func map<Result: Sendable>(_ count: Int, _ work: @Sendable (Int) -> Result) -> [Result] {
    guard threads > 1, count > 1 else { return (0..<count).map(work) }
    return withoutActuallyEscaping(work) { work in
      let batch = Batch(count: count, work: work)
      let helpers = (0..<idle.take(count - 1)).compactMap { _ in Helper(batch, of: idle) }
      batch.run()
      for helper in helpers { helper.join() }
      return batch.results
    }
  }
}

/// How many more threads may help.
private final class IdleHelpers: Sendable {
  private let count: Mutex<Int>

  init(count: Int) { self.count = Mutex(count) }

  /// As many as there are, `wanted` at most.
  func take(_ wanted: Int) -> Int {
    count.withLock { count in
      let taken = min(count, wanted)
      count -= taken
      return taken
    }
  }

  func giveBack() { count.withLock { $0 += 1 } }
}

/// Pieces of work that several threads take one after another.
private final class Batch<Result: Sendable>: Sendable {
  private let count: Int
  private let work: @Sendable (Int) -> Result
  private let next = Atomic<Int>(0)
  private let done: Mutex<[Result?]>

  init(count: Int, work: @escaping @Sendable (Int) -> Result) {
    self.count = count
    self.work = work
    done = Mutex([Result?](repeating: nil, count: count))
  }

  func run() {
    while true {
      let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard place < count else { return }
      let result = work(place)
      done.withLock { $0[place] = result }
    }
  }

  var results: [Result] { done.withLock { $0.compactMap { $0 } } }
}

/// What a helper thread runs.
private final class Errand {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// A thread that helps with a batch until nothing is left to take.
private struct Helper {
  private let thread: pthread_t

  init?<Result: Sendable>(_ batch: Batch<Result>, of idle: IdleHelpers) {
    let errand = Unmanaged.passRetained(
      Errand {
        batch.run()
        idle.giveBack()
      })
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Errand>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, errand.toOpaque())
    guard status == 0 else {
      errand.release()
      idle.giveBack()
      return nil
    }
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }
}
