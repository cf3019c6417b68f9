import HostClock
import PeerClock
import Synchronization
import TestLanes
import Testing
import Units

@Suite("Schedules and shared time", .live)
struct ScheduleTests {
  @Test("the shared time only grows, on every thread, and runs as the host's clock does")
  func monotone() async throws {
    let group = MockGroup(2)
    defer { group.stop() }
    let clock = group.clocks[0]
    #expect(clock.now == 0 && clock.map == nil)
    try await group.start()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for _ in 0..<4 {
        tasks.addTask {
          var last: UInt64 = 0
          for _ in 0..<20_000 {
            let now = clock.now
            #expect(now > last)
            last = now
          }
        }
      }
      try await tasks.waitForAll()
    }
    let start = (clock.now, HostClock().now())
    try await Task.sleep(for: .milliseconds(200))
    let end = (clock.now, HostClock().now())
    let shared = Double(end.0 - start.0)
    let host = (end.1 - start.1).inSeconds * 1e9
    #expect(abs(shared / host - 1) < 1e-3)
  }

  @Test("an action is done at its time, on all hosts at once")
  func schedule() async throws {
    let group = MockGroup(3)
    defer { group.stop() }
    try await group.start()
    let done = Mutex<[HostInstant]>([])
    let due = group.clocks[0].now + 300_000_000
    let times = Times(done: done)
    for clock in group.clocks {
      _ = try await clock.schedule(atSyncedTime: due) { times.add(HostClock().now()) }
    }
    try await eventually("all three") { times.all.count == 3 }
    let map = try #require(group.clocks[0].map)
    let wanted = map.host(at: SharedInstant(nanoseconds: Int64(due)))
    for time in times.all {
      // Never early but for the clocks' own difference; late by the scheduler's grace.
      #expect(time - wanted > .microseconds(-20), "\(time - wanted)")
      #expect(time - wanted < .milliseconds(200), "\(time - wanted)")
    }
  }

  @Test("a cancelled action is not done, one of the past is done at once, in order of time")
  func cancel() async throws {
    let group = MockGroup(1)
    defer { group.stop() }
    try await group.start()
    let clock = group.clocks[0]
    let times = Times(done: Mutex([]))
    let handle = try await clock.schedule(atSyncedTime: clock.now + 100_000_000) {
      Issue.record("a cancelled action was done")
    }
    let past = try await clock.schedule(atSyncedTime: 1) { times.add(HostClock().now()) }
    await handle.cancel()
    await handle.cancel()
    let elapsed = try await eventually("the past one") { times.all.count == 1 }
    #expect(elapsed < .milliseconds(500))
    await past.cancel()
    try await Task.sleep(for: .milliseconds(150))
    #expect(times.all.count == 1)
    await #expect(throws: PeerClockError.self) {
      try await clock.schedule(atSyncedTime: .max) {}
    }
  }
}

/// Times that were noted from anywhere.
final class Times: Sendable {
  private let done: Mutex<[HostInstant]>

  init(done: consuming Mutex<[HostInstant]>) { self.done = done }

  var all: [HostInstant] { done.withLock { $0 } }

  func add(_ instant: HostInstant) { done.withLock { $0.append(instant) } }
}
