import Glibc
import Synchronization
import TestBuses
import TestLanes
import Testing

@testable import Systemd

@Suite("Keeping the host awake", .live)
struct SleepInhibitorTests {
  @Test("without a bus, and without logind, there is nobody to ask")
  func nobody() throws {
    guard case .noManager = SleepInhibitor.take(reason: "test", address: "unix:path=/nonexistent")
    else {
      Issue.record("a bus that there is not has answered")
      return
    }
    let bus = try #require(SessionBus())
    guard case .noManager = SleepInhibitor.take(reason: "test", address: bus.address) else {
      Issue.record("a logind that there is not has answered")
      return
    }
  }

  @Test("sleep is held back until the value goes")
  func held() throws {
    let bus = try #require(SessionBus())
    let logind = FakeLogind(address: bus.address)
    defer { logind.stop() }
    var inhibitor: SleepInhibitor?
    guard case .taken(let taken) = SleepInhibitor.take(reason: "recording", address: bus.address)
    else {
      Issue.record("logind has not answered")
      return
    }
    inhibitor = taken
    #expect(logind.reasons.withLock { $0 } == ["sleep:idle|recorder|recording|block"])
    let end = try #require(logind.given.withLock { $0 }.first)
    var descriptor = pollfd(fd: end, events: 0, revents: 0)
    #expect(poll(&descriptor, 1, 100) == 0)
    _ = inhibitor
    inhibitor = nil
    _ = consume taken
  }

  @Test("once nobody holds it, it is over")
  func over() throws {
    let bus = try #require(SessionBus())
    let logind = FakeLogind(address: bus.address)
    defer { logind.stop() }
    for _ in 0..<3 {
      guard case .taken = SleepInhibitor.take(reason: "recording", address: bus.address) else {
        Issue.record("logind has not answered")
        return
      }
    }
    #expect(logind.given.withLock { $0.count } == 3)
    #expect(logind.areAllOver)
  }

  @Test("a refusal is told from nobody")
  func refused() throws {
    let bus = try #require(SessionBus())
    let logind = FakeLogind(address: bus.address, refuses: true)
    defer { logind.stop() }
    guard case .refused = SleepInhibitor.take(reason: "recording", address: bus.address) else {
      Issue.record("it was not refused")
      return
    }
  }
}
