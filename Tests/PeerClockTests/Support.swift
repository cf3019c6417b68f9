import HostClock
import PeerClock
import PeerClockTestSupport
import Synchronization
import Testing
import Units

/// What did not come about in time.
struct TooLate: Error, CustomStringConvertible {
  let description: String
}

/// Waits until `condition` holds, looking each 5 ms, and returns how long that took.
@discardableResult
func eventually(
  _ what: String, within limit: Duration = .seconds(8), _ condition: () async throws -> Bool
) async throws -> Duration {
  let clock = HostClock()
  let start = clock.now()
  while try await !condition() {
    guard clock.now() - start < limit else {
      throw TooLate(description: "\(what): not in \(limit)")
    }
    try await Task.sleep(for: .milliseconds(5))
  }
  return clock.now() - start
}

/// Collects what a stream brings, for as long as the test lasts.
final class Collector<Element: Sendable>: Sendable {
  private let found = Mutex<[Element]>([])
  private let ended = Mutex(false)

  init(_ stream: EventStream<Element>) {
    // Subscribed before this returns, so that nothing is missed.
    let iterator = stream.makeAsyncIterator()
    Task.immediate { [self] in
      var iterator = iterator
      while let element = await iterator.next(isolation: nil) {
        found.withLock { $0.append(element) }
      }
      ended.withLock { $0 = true }
    }
  }

  var elements: [Element] { found.withLock { $0 } }
  var hasEnded: Bool { ended.withLock { $0 } }
}

/// Clocks of one group, on a mock network.
struct MockGroup {
  let network: MockNetwork
  let clocks: [PeerClock]

  init(
    _ count: Int, conditions: MockNetwork.Conditions = .init(),
    configure: (inout PeerClockConfiguration, Int) -> Void = { _, _ in }
  ) {
    network = MockNetwork(conditions)
    clocks = (0..<count).map { [network] number in
      var configuration = PeerClockConfiguration(
        group: .init(name: "test", key: Array(repeating: 1, count: 32)), label: "host \(number)")
      configure(&configuration, number)
      return PeerClock(
        configuration: configuration, transportFactory: network.transportFactory)
    }
  }

  /// Starts all, and waits until each is connected to all others.
  func start() async throws {
    try await startAll(clocks)
    try await meet(clocks)
  }

  func stop() { for clock in clocks { clock.stop() } }
}

func startAll(_ clocks: [PeerClock]) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for clock in clocks { group.addTask { try await clock.start() } }
    try await group.waitForAll()
  }
}

/// Waits until all are connected to all, and follow one of them.
@discardableResult
func meet(_ clocks: [PeerClock], within limit: Duration = .seconds(8)) async throws -> Duration {
  try await eventually("a group of \(clocks.count)", within: limit) {
    let coordinators = Set(clocks.map(\.coordinator))
    let sessions = Set(clocks.map(\.session?.id))
    return coordinators.count == 1 && sessions.count == 1 && !sessions.contains(nil)
      && clocks.allSatisfy { clock in
        clock.map != nil
          && clock.currentPeers.count { $0.state == .connected } == clocks.count - 1
      }
  }
}

/// By how much the clocks differ in what their maps say of this moment, in nanoseconds: they
/// share one host clock, so that the truth is 0.
func spreadNanoseconds(_ clocks: [PeerClock]) throws -> Int64 {
  let now = HostClock().now()
  let readings = try clocks.map { try #require($0.map).shared(at: now).nanoseconds }
  return (readings.max() ?? 0) - (readings.min() ?? 0)
}
