internal import EventLoop
internal import HostClock
internal import PeerCore
internal import Sockets
internal import Units

/// The sockets of a transport, on its loop's thread.
final class NetworkCore {
  /// What the loop calls a core for.
  enum Wake: Sendable {
    case unicast(Readiness)
    case multicast(interface: UInt32)
    case listener
    case connection(ConnectionID, Readiness)
    case rescan
  }

  /// The most datagrams that are taken from a socket before other work has its turn.
  static let mostPerTurn = 64
  /// The most datagrams that are dealt with before anything is sent, and the most that is kept
  /// back meanwhile.
  static let mostGathered = 8
  static let mostHeld = 64
  /// How often interfaces that came or went are looked for.
  static let rescanInterval = Duration.seconds(5)

  private let settings: NetworkSettings
  private let clock = HostClock()
  private var open: Open?
  private let connections = ConnectionTable()
  private var ledger = StampLedger()
  private var trail = SandwichTrail()
  /// What is to be sent when the datagrams at hand are dealt with; nothing outside of that.
  private var held: [Held]?
  private var channels: [UInt32: MulticastChannel] = [:]

  private struct Held {
    let bytes: [UInt8]
    let address: PathAddress
    let token: SendToken?
  }

  /// What is there while the transport is open.
  private struct Open {
    let loop: EventLoop
    let events: @Sendable (TransportEvent) -> Void
    let wake: @Sendable (Wake) -> Void
    let unicast: UDPSocket
    let listener: TCPListener
    let group: SocketAddress
    var tokens: [EventLoop.Token] = []
    var rescan: EventLoop.Token?
    /// The interfaces whose unicast datagrams are taken; none: all.
    var allowed: Set<UInt32> = []
  }

  init(settings: NetworkSettings) { self.settings = settings }

  var isOnLoop: Bool { open?.loop.isCurrent ?? true }

  func open(
    on loop: EventLoop, events: @escaping @Sendable (TransportEvent) -> Void,
    wake: @escaping @Sendable (Wake) -> Void
  ) throws(PeerClockError) -> TransportPorts {
    let group = try settings.groupAddress()
    let interfaces = try findInterfaces()
    do {
      let isLocal = InterfaceChoice.isLoopbackOnly(settings.wish, of: try NetworkInterface.all())
      let address: [UInt8] = isLocal ? [127, 0, 0, 1] : []
      let unicast = try UDPSocket(family: 4, address: address, port: settings.port)
      trail.keep(clock.sandwich())
      if settings.hasArrivalStamps {
        _ = unicast.enableStamps(sending: settings.sendStamps)
      }
      let listener = try TCPListener(family: 4, address: address, port: settings.port)
      open = Open(
        loop: loop, events: events, wake: wake, unicast: unicast, listener: listener, group: group)
      join(interfaces)
      try watch()
      return TransportPorts(unicast: unicast.port, reliable: listener.port)
    } catch let error as SocketError {
      close()
      throw PeerClockError(error)
    } catch let error as EventLoop.Failure {
      close()
      throw .system(reason: error.description)
    } catch let error as PeerClockError {
      close()
      throw error
    } catch {
      close()
      throw .system(reason: "\(error)")
    }
  }

  func close() {
    guard let was = open else { return }
    open = nil
    for token in was.tokens { was.loop.forget(token) }
    if let rescan = was.rescan { was.loop.forget(rescan) }
    for channel in channels.values { was.loop.forget(channel.token) }
    channels = [:]
    connections.closeAll(on: was.loop)
  }

  func handle(_ wake: Wake) {
    guard let open else { return }
    switch wake {
    case .unicast(let readiness):
      if readiness.broken { takeStamps() }
      receive(from: open.unicast, allowed: open.allowed)
    case .multicast(let interface):
      if let channel = channels[interface] {
        receive(from: channel.socket, allowed: [], isMulticast: true)
      }
    case .listener: accept()
    case .connection(let id, let readiness):
      connections.handle(id, readiness, on: open.loop, events: open.events)
    case .rescan: rescan()
    }
  }
}

// Datagrams.
extension NetworkCore {
  func send(_ bytes: [UInt8], to address: PathAddress, token: SendToken?) {
    guard let open else { return }
    if let held, held.count < Self.mostHeld {
      self.held = held + [Held(bytes: bytes, address: address, token: token)]
      return
    }
    if let token { ledger.expect(token, bytes: bytes, at: clock.now()) }
    // A datagram may be lost at any time: an error here is one more way. The state machines
    // repeat what matters.
    do { try open.unicast.send(bytes, to: SocketAddress(address)) } catch {
      if let token { ledger.cancel(token) }
    }
  }

  func multicast(_ bytes: [UInt8]) {
    guard let open else { return }
    for (_, channel) in channels.sorted(by: { $0.key < $1.key }) {
      // One interface that is down must not keep the others from hearing.
      do { try channel.socket.send(bytes, to: open.group) } catch { continue }
    }
  }

  /// Takes what has arrived, a few datagrams at a time, and sends what they call for only when
  /// all of those are dealt with: answers that leave one right after the other take the same way
  /// through warm caches.
  private func receive(
    from socket: UDPSocket, allowed: Set<UInt32>, isMulticast: Bool = false
  ) {
    var isDrained = false
    for _ in 0..<Self.mostPerTurn / Self.mostGathered where !isDrained {
      takeStamps()
      var datagrams: [ReceivedDatagram] = []
      for _ in 0..<Self.mostGathered {
        guard let packet = socket.receive(converting: &trail) else {
          isDrained = true
          break
        }
        guard allowed.isEmpty || allowed.contains(packet.sender.interface) else { continue }
        datagrams.append(ReceivedDatagram(packet, wasMulticast: isMulticast))
      }
      hand(datagrams)
    }
  }

  private func hand(_ datagrams: [ReceivedDatagram]) {
    guard !datagrams.isEmpty else { return }
    held = []
    for datagram in datagrams { open?.events(.datagram(datagram)) }
    let answers = held ?? []
    held = nil
    for answer in answers { send(answer.bytes, to: answer.address, token: answer.token) }
  }

  private func takeStamps() {
    for _ in 0..<Self.mostPerTurn {
      guard let open, let stamp = open.unicast.receiveSendStamp(converting: &trail) else { break }
      if let found = ledger.take(
        frame: stamp.frame, stamp: stamp.stamp, kind: StampKind(stamp.kind))
      {
        report(found)
      }
    }
    for found in ledger.expire(at: clock.now()) { report(found) }
  }

  private func report(_ found: StampLedger.Found) {
    open?.events(.sent(found.token, stamp: found.stamp, kind: found.kind))
  }
}

// Interfaces.
extension NetworkCore {
  private func findInterfaces() throws(PeerClockError) -> [NetworkInterface] {
    do {
      return try InterfaceChoice.choose(settings.wish, of: NetworkInterface.all())
    } catch let error as SocketError {
      throw PeerClockError(error)
    } catch let error as PeerClockError {
      throw error
    } catch {
      throw .system(reason: "\(error)")
    }
  }

  /// Joins the group wherever that can be. Nowhere is no failure: the host keeps its own time,
  /// takes what comes from peers that were told of it, and looks again.
  private func join(_ interfaces: [NetworkInterface]) {
    guard let open else { return }
    for interface in interfaces where channels[interface.index] == nil {
      guard interface.isLoopback || interface.supportsMulticast else { continue }
      do throws(SocketError) {
        channels[interface.index] = try MulticastChannel(
          interface: interface, group: open.group, loop: open.loop, wake: open.wake)
      } catch { continue }
    }
    allowOnly(interfaces)
  }

  /// Datagrams from other interfaces are not taken where interfaces were named. What this host
  /// sends itself comes in by loopback, whatever address it goes to.
  private func allowOnly(_ interfaces: [NetworkInterface]) {
    guard !settings.wish.names.isEmpty else { return }
    open?.allowed = Set(interfaces.map(\.index)).union([1])
  }

  private func rescan() {
    guard let open else { return }
    if let rescan = open.rescan { open.loop.set(rescan, to: clock.now() + Self.rescanInterval) }
    // A failed look is repeated by the next.
    guard let interfaces = try? findInterfaces() else { return }
    let present = Dictionary(uniqueKeysWithValues: interfaces.map { ($0.index, $0.address) })
    for (index, channel) in channels where present[index] != channel.address {
      open.loop.forget(channel.token)
      channels[index] = nil
    }
    join(interfaces)
  }
}

// Connections and the loop.
extension NetworkCore {
  func connect(to address: PathAddress) -> ConnectionID {
    guard let open else { return connections.newID() }
    return connections.connect(
      to: SocketAddress(address), on: open.loop, wake: open.wake, events: open.events)
  }

  func write(_ bytes: [UInt8], to connection: ConnectionID) {
    guard let open else { return }
    connections.write(bytes, to: connection, on: open.loop, events: open.events)
  }

  func close(_ connection: ConnectionID) {
    guard let open else { return }
    connections.close(connection, on: open.loop)
  }

  private func accept() {
    for _ in 0..<Self.mostPerTurn {
      guard let open, let stream = open.listener.accept() else { return }
      connections.accept(stream, on: open.loop, wake: open.wake, events: open.events)
    }
  }

  private func watch() throws(EventLoop.Failure) {
    guard let now = open else { return }
    let wake = now.wake
    open?.tokens = [
      try now.loop.watch(now.unicast.descriptor) { wake(.unicast($0)) },
      try now.loop.watch(now.listener.descriptor) { _ in wake(.listener) },
    ]
    let rescan = now.loop.makeTimer { wake(.rescan) }
    now.loop.set(rescan, to: clock.now() + Self.rescanInterval)
    open?.rescan = rescan
  }
}
