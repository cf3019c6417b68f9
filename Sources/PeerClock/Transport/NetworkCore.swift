internal import EventLoop
internal import HostClock
internal import PeerCore
internal import Sockets
internal import Units

/// The sockets of a transport, on its loop's thread.
final class NetworkCore {
  /// What the loop calls a core for.
  enum Wake: Sendable {
    case unicast(family: Int32, Readiness)
    case multicast(ChannelID)
    case listener
    case connection(ConnectionID, Readiness)
    case routes
    case rescan
  }

  /// The most datagrams that are taken from a socket before other work has its turn.
  static let mostPerTurn = 64
  /// The most datagrams that are dealt with before anything is sent, and the most that is kept
  /// back meanwhile.
  static let mostGathered = 8
  static let mostHeld = 64
  /// How often interfaces that came or went are looked for, whatever the kernel tells; and how soon
  /// after it told.
  static let rescanInterval = Duration.seconds(5)
  static let rescanDelay = Duration.milliseconds(100)

  let settings: NetworkSettings
  let clock = HostClock()
  var open: Open?
  let connections = ConnectionTable()
  var ledger = StampLedger()
  var trail = SandwichTrail()
  /// What is to be sent when the datagrams at hand are dealt with; nothing outside of that.
  var held: [Held]?
  var channels: [ChannelID: MulticastChannel] = [:]

  struct Held {
    let bytes: [UInt8]
    let address: PathAddress
    let token: SendToken?
  }

  /// What is there while the transport is open.
  struct Open {
    let loop: EventLoop
    let events: @Sendable (TransportEvent) -> Void
    let wake: @Sendable (Wake) -> Void
    let unicast: UnicastPorts
    let groups: NetworkSettings.Groups
    /// Tells of changes of interfaces, where the kernel does.
    let routes: RouteMonitor?
    var tokens: [EventLoop.Token] = []
    var rescan: EventLoop.Token?
    /// The interfaces whose unicast datagrams are taken; none: all.
    var allowed: Set<UInt32> = []
    /// This host's own addresses.
    var own: Set<[UInt8]> = []
  }

  init(settings: NetworkSettings) { self.settings = settings }

  var isOnLoop: Bool { open?.loop.isCurrent ?? true }

  func open(
    on loop: EventLoop, events: @escaping @Sendable (TransportEvent) -> Void,
    wake: @escaping @Sendable (Wake) -> Void
  ) throws(PeerClockError) -> TransportPorts {
    let groups = try settings.groups()
    do {
      let all = try NetworkInterface.all()
      let interfaces = try InterfaceChoice.choose(settings.wish, of: all)
      let unicast = try UnicastPorts(
        port: settings.port, usual: PeerClockConfiguration.usualPort,
        isLocal: InterfaceChoice.isLoopbackOnly(settings.wish, of: all))
      trail.keep(clock.sandwich())
      if settings.hasArrivalStamps {
        for socket in unicast.datagrams { _ = socket.enableStamps(sending: settings.sendStamps) }
      }
      open = Open(
        loop: loop, events: events, wake: wake, unicast: unicast, groups: groups,
        routes: try? RouteMonitor())
      join(interfaces, of: all)
      try watch()
      return unicast.ports.with(channels: channels.count)
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
    case .unicast(let family, let readiness):
      if readiness.broken { takeStamps() }
      for socket in open.unicast.datagrams where socket.family == family {
        receive(from: socket, allowed: open.allowed)
      }
    case .multicast(let id):
      if let channel = channels[id] {
        receive(from: channel.socket, allowed: [], isMulticast: true)
      }
    case .listener: accept()
    case .connection(let id, let readiness):
      connections.handle(id, readiness, on: open.loop, events: open.events)
    case .routes: noticeRoutes()
    case .rescan: rescan()
    }
  }

  private func watch() throws(EventLoop.Failure) {
    guard let now = open else { return }
    let wake = now.wake
    var tokens: [EventLoop.Token] = []
    for socket in now.unicast.datagrams {
      let family = socket.family
      tokens.append(try now.loop.watch(socket.descriptor) { wake(.unicast(family: family, $0)) })
    }
    for listener in now.unicast.listeners {
      tokens.append(try now.loop.watch(listener.descriptor) { _ in wake(.listener) })
    }
    if let routes = now.routes {
      tokens.append(try now.loop.watch(routes.descriptor) { _ in wake(.routes) })
    }
    open?.tokens = tokens
    let rescan = now.loop.makeTimer { wake(.rescan) }
    now.loop.set(rescan, to: clock.now() + Self.rescanInterval)
    open?.rescan = rescan
  }
}

// Connections.
extension NetworkCore {
  func connect(to address: PathAddress) -> ConnectionID {
    guard let open else { return connections.newID() }
    return connections.connect(
      to: SocketAddress(address), isBound: !open.own.contains(address.address), on: open.loop,
      wake: open.wake, events: open.events)
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
    guard let open else { return }
    for listener in open.unicast.listeners {
      for _ in 0..<Self.mostPerTurn {
        guard let stream = listener.accept() else { break }
        connections.accept(stream, on: open.loop, wake: open.wake, events: open.events)
      }
    }
  }
}
