import EventLoop
import HostClock
import Synchronization
import TestLanes
import Testing
import Units

/// An actor that lives on a loop, as the shells do.
private actor Resident {
  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private var fired: [HostInstant] = []

  init(loop: EventLoop) { self.loop = loop }

  /// Sets one timer after each delay and returns how late each was, in order of firing.
  func lateness(of delays: [Duration]) async -> [(delay: Duration, late: Duration)] {
    let clock = HostClock()
    let start = clock.now()
    return await withCheckedContinuation { continuation in
      let found = Mutex<[(delay: Duration, late: Duration)]>([])
      let results = Results(found: found, count: delays.count, continuation: continuation)
      for delay in delays {
        let token = loop.makeTimer {
          results.add(delay, late: clock.now() - (start + delay))
        }
        loop.set(token, to: start + delay)
      }
    }
  }

  func isOnLoop() -> Bool { loop.isCurrent }
}

private final class Results: Sendable {
  typealias Found = [(delay: Duration, late: Duration)]
  private let found: Mutex<Found>
  private let count: Int
  private let continuation: CheckedContinuation<Found, Never>

  init(found: consuming Mutex<Found>, count: Int, continuation: CheckedContinuation<Found, Never>) {
    self.found = found
    self.count = count
    self.continuation = continuation
  }

  func add(_ delay: Duration, late: Duration) {
    let all = found.withLock { found in
      found.append((delay, late))
      return found
    }
    if all.count == count { continuation.resume(returning: all) }
  }
}

@Suite("An event loop", .live)
struct EventLoopTests {
  @Test("an actor on it runs on its thread")
  func isolation() async throws {
    let loop = try EventLoop(name: "test loop")
    defer { loop.stop() }
    let resident = Resident(loop: loop)
    #expect(await resident.isOnLoop())
    #expect(!loop.isCurrent)
  }

  @Test("timers fire in order, never early, whatever order they were set in")
  func timers() async throws {
    let loop = try EventLoop(name: "test loop")
    defer { loop.stop() }
    let delays: [Duration] = [.milliseconds(30), .milliseconds(5), .milliseconds(15)]
    let found = await Resident(loop: loop).lateness(of: delays)
    #expect(found.map(\.delay) == delays.sorted())
    for (_, late) in found { #expect(late >= .zero && late < .milliseconds(500)) }
  }
}
