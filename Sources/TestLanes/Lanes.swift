internal import EventLoop
internal import Synchronization
public import Testing

/// Runs a suite's tests on threads of their own, two at a time.
///
/// Tests that compute would otherwise take the few threads of the shared pool, and tests that live
/// in real time beside them would be kept waiting for as long as the computing lasts. Every suite
/// says which it is: ``Testing/Trait/computing`` or ``Testing/Trait/live``.
public struct ComputingTrait: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  private static let lanes: [EventLoop] = (0..<2).map { number in
    do {
      return try EventLoop(name: "tests \(number)")
    } catch {
      fatalError("\(error)")
    }
  }
  private static let next = Atomic<Int>(0)

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let turn = Self.next.wrappingAdd(1, ordering: .relaxed).oldValue
    let lane = Self.lanes[turn % Self.lanes.count]
    try await withTaskExecutorPreference(lane) { try await function() }
  }
}

/// Runs tests that live in real time one after another: they have the shared pool to themselves.
public struct LiveTrait: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  private static let turnstile = Turnstile()

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Self.turnstile.enter()
    do {
      try await function()
    } catch {
      Self.turnstile.leave()
      throw error
    }
    Self.turnstile.leave()
  }
}

/// Lets one through at a time, in order of arrival.
final class Turnstile: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func enter() async {
    await withCheckedContinuation { continuation in
      let mayEnter = state.withLock { state in
        if state.isTaken {
          state.waiting.append(continuation)
          return false
        }
        state.isTaken = true
        return true
      }
      if mayEnter { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

extension Trait where Self == ComputingTrait {
  /// The tests compute, or block: they run on threads of their own.
  public static var computing: Self { ComputingTrait() }
}

extension Trait where Self == LiveTrait {
  /// The tests live in real time: clocks, sockets, timers.
  public static var live: Self { LiveTrait() }
}
