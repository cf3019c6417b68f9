internal import EventLoop
internal import HostClock
internal import PeerClock
internal import PeerCore
internal import Synchronization
internal import Units

/// One peer's place on a mock network.
final class MockTransport: PeerTransport {
  /// The ports of every place: addresses tell the places apart.
  static let ports = TransportPorts(unicast: 1, reliable: 2)

  private struct State {
    var mailbox: Mailbox?
    var address: [UInt8] = []
    /// The other ends of connections.
    var others: [ConnectionID: Other] = [:]
  }

  private struct Other {
    let transport: MockTransport
    let id: ConnectionID
  }

  let peer: PeerID
  private let network: MockNetwork
  private let state = Mutex(State())
  private let clock = HostClock()

  init(network: MockNetwork, peer: PeerID) {
    self.network = network
    self.peer = peer
  }

  func open(
    on loop: EventLoop, events: @escaping @Sendable (TransportEvent) -> Void
  ) throws(PeerClockError) -> TransportPorts {
    let address = network.join(self)
    let mailbox = Mailbox(loop: loop, events: events)
    state.withLock { state in
      state.mailbox = mailbox
      state.address = address
    }
    return Self.ports
  }

  func send(_ bytes: [UInt8], to address: PathAddress, token: SendToken?) {
    let now = clock.now()
    if let token { mailbox?.put(.sent(token, stamp: now, kind: .kernel), at: now) }
    guard let target = network.transport(at: address.address, from: peer) else { return }
    pass(bytes, to: target, at: now, isMulticast: false)
  }

  func multicast(_ bytes: [UInt8], channel: Int) {
    let now = clock.now()
    for target in network.everyone(but: self) {
      pass(bytes, to: target, at: now, isMulticast: true)
    }
  }

  func connect(to address: PathAddress) -> ConnectionID {
    let mine = network.newConnection()
    let arrival = network.sureArrival(of: clock.now())
    guard let target = network.transport(at: address.address, from: peer) else {
      mailbox?.put(.closed(mine), at: arrival)
      return mine
    }
    let theirs = network.newConnection()
    state.withLock { $0.others[mine] = Other(transport: target, id: theirs) }
    target.state.withLock { $0.others[theirs] = Other(transport: self, id: mine) }
    target.mailbox?.put(.accepted(theirs, from: place), at: arrival)
    mailbox?.put(.connected(mine), at: arrival)
    return mine
  }

  func write(_ bytes: [UInt8], to connection: ConnectionID) {
    guard let other = state.withLock({ $0.others[connection] }) else { return }
    let arrival = network.sureArrival(of: clock.now())
    let address = other.transport.state.withLock { $0.address }
    guard network.transport(at: address, from: peer) != nil else {
      // A connection breaks when it is used across a cut.
      close(connection)
      mailbox?.put(.closed(connection), at: arrival)
      return
    }
    other.transport.mailbox?.put(.received(other.id, bytes), at: arrival)
  }

  func close(_ connection: ConnectionID) {
    guard let other = state.withLock({ $0.others.removeValue(forKey: connection) }) else { return }
    other.transport.state.withLock { $0.others[other.id] = nil }
    let arrival = network.sureArrival(of: clock.now())
    other.transport.mailbox?.put(.closed(other.id), at: arrival)
  }

  func close() {
    let (mailbox, address, connections) = state.withLock { state in
      defer { state.mailbox = nil }
      return (state.mailbox, state.address, Array(state.others.keys))
    }
    for connection in connections { close(connection) }
    mailbox?.close()
    network.leave(address)
  }

  /// Takes a datagram that arrives at `instant`.
  func deliver(_ bytes: [UInt8], from path: PathAddress, at instant: HostInstant, isMulticast: Bool)
  {
    let datagram = ReceivedDatagram(
      bytes: bytes, path: path, stamp: instant, stampKind: .kernel, wasMulticast: isMulticast)
    mailbox?.put(.datagram(datagram), at: instant)
  }

  private var mailbox: Mailbox? { state.withLock { $0.mailbox } }

  private var place: PathAddress {
    PathAddress(
      interface: 0, address: state.withLock { $0.address }, port: Self.ports.unicast)
  }

  private func pass(
    _ bytes: [UInt8], to target: MockTransport, at now: HostInstant, isMulticast: Bool
  ) {
    guard let arrival = network.arrival(of: now) else { return }
    target.deliver(bytes, from: place, at: arrival, isMulticast: isMulticast)
  }
}
