internal import HostClock
public import PeerClock
internal import PeerCore
internal import Synchronization
public import Units

/// A network within one process, for tests of programs that use a clock.
///
/// Datagrams arrive after a delay with stamps that are exact, so that clocks on it agree almost to
/// the nanosecond; they are lost at a rate that follows from the seed; pairs of peers can be cut
/// off from one another and joined again.
///
///     let network = MockNetwork()
///     let one = PeerClock(transportFactory: network.transportFactory)
///     let other = PeerClock(transportFactory: network.transportFactory)
public final class MockNetwork: Sendable {
  /// How the network treats what is sent.
  public struct Conditions: Hashable, Sendable {
    /// The shortest time on the way.
    public var delay: Duration
    /// The most that may come on top of it, evenly spread.
    public var jitter: Duration
    /// The part of datagrams that is lost, 0 to 1. Connections lose nothing.
    public var loss: Double

    /// Makes conditions; the delay of 50 us is that of a wire.
    public init(delay: Duration = .microseconds(50), jitter: Duration = .zero, loss: Double = 0) {
      self.delay = delay
      self.jitter = jitter
      self.loss = loss
    }
  }

  private struct Pair: Hashable {
    let low: PeerID
    let high: PeerID

    init(_ one: PeerID, _ other: PeerID) {
      low = min(one, other)
      high = max(one, other)
    }
  }

  private struct State {
    var transports: [[UInt8]: MockTransport] = [:]
    var lastAddress: UInt16 = 0
    var cuts: Set<Pair> = []
    var generator: SeededGenerator
    var lastConnection: UInt64 = 0
  }

  private let conditions: Conditions
  private let state: Mutex<State>

  /// Makes a network; what is lost and late follows from `seed`.
  public init(_ conditions: Conditions = Conditions(), seed: UInt64 = 1) {
    self.conditions = conditions
    state = Mutex(State(generator: SeededGenerator(seed: seed)))
  }

  /// What a clock is given to live on this network.
  public var transportFactory: TransportFactory {
    { peer in MockTransport(network: self, peer: peer) }
  }

  /// Cuts two peers off from one another.
  public func cut(_ one: PeerID, _ other: PeerID) {
    _ = state.withLock { $0.cuts.insert(Pair(one, other)) }
  }

  /// Joins all that were cut off.
  public func heal() { state.withLock { $0.cuts = [] } }

  /// Sends bytes to `peer` as if they came from an unknown place.
  public func inject(_ bytes: [UInt8], to peer: PeerID) {
    let target = state.withLock { state in state.transports.values.first { $0.peer == peer } }
    let now = HostClock().now()
    let nowhere = PathAddress(interface: 0, address: [10, 255, 255, 255], port: 9)
    target?.deliver(bytes, from: nowhere, at: now, isMulticast: false)
  }
}

// What transports ask of it.
extension MockNetwork {
  /// Gives a transport an address of its own.
  func join(_ transport: MockTransport) -> [UInt8] {
    state.withLock { state in
      state.lastAddress += 1
      let address = [10, 0, UInt8(state.lastAddress >> 8), UInt8(state.lastAddress & 0xff)]
      state.transports[address] = transport
      return address
    }
  }

  func leave(_ address: [UInt8]) {
    _ = state.withLock { $0.transports.removeValue(forKey: address) }
  }

  func newConnection() -> ConnectionID {
    state.withLock { state in
      state.lastConnection += 1
      return ConnectionID(number: state.lastConnection)
    }
  }

  /// The transport at an address, unless it is cut off from `peer`.
  func transport(at address: [UInt8], from peer: PeerID) -> MockTransport? {
    state.withLock { state in
      guard let found = state.transports[address],
        !state.cuts.contains(Pair(peer, found.peer))
      else { return nil }
      return found
    }
  }

  /// Who hears what `sender` sends to all: two may bear one id.
  func everyone(but sender: MockTransport) -> [MockTransport] {
    state.withLock { state in
      state.transports.values.filter {
        $0 !== sender && !state.cuts.contains(Pair(sender.peer, $0.peer))
      }
    }
  }

  /// When something that is sent at `instant` arrives; nothing where it is lost.
  func arrival(of instant: HostInstant) -> HostInstant? {
    state.withLock { state in
      if state.generator.nextUnit() < conditions.loss { return nil }
      return instant + delay(&state.generator)
    }
  }

  /// When a connection's bytes that are sent at `instant` arrive.
  func sureArrival(of instant: HostInstant) -> HostInstant { instant + conditions.delay }

  private func delay(_ generator: inout SeededGenerator) -> Duration {
    conditions.delay + conditions.jitter * generator.nextUnit()
  }
}
