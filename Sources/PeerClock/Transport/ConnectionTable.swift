internal import EventLoop
internal import PeerCore
internal import Sockets

/// The TCP connections of a transport.
///
/// A class, since an event may lead straight back here: its receiver writes an answer at once.
final class ConnectionTable {
  /// The most connections at once, which is more than there are peers and strangers; more are closed
  /// as they come.
  static let most = 384
  /// The most bytes that wait for a slow reader; then the connection is given up.
  static let longestOutput = 4 << 20

  typealias Events = @Sendable (TransportEvent) -> Void
  typealias Waker = @Sendable (NetworkCore.Wake) -> Void

  private struct Connection {
    let stream: TCPStream
    let token: EventLoop.Token
    var isConnected: Bool
    var output: [UInt8] = []
  }

  private var connections: [ConnectionID: Connection] = [:]
  private var lastNumber: UInt64 = 0

  func newID() -> ConnectionID {
    lastNumber += 1
    return ConnectionID(number: lastNumber)
  }

  func connect(
    to address: SocketAddress, isBound: Bool, on loop: EventLoop, wake: @escaping Waker,
    events: @escaping Events
  ) -> ConnectionID {
    let id = newID()
    do {
      guard connections.count < Self.most else { throw TooMany() }
      let stream = try TCPStream(connectingTo: address, isBound: isBound)
      try add(stream, id, isConnected: false, on: loop, wake: wake)
    } catch {
      // Never from within the call: the caller does not know the id yet.
      loop.perform { events(.closed(id)) }
    }
    return id
  }

  func accept(
    _ stream: TCPStream, on loop: EventLoop, wake: @escaping Waker, events: Events
  ) {
    guard connections.count < Self.most else { return }
    let id = newID()
    do throws(EventLoop.Failure) {
      try add(stream, id, isConnected: true, on: loop, wake: wake)
    } catch { return }
    events(.accepted(id, from: PathAddress(stream.remote)))
  }

  func write(
    _ bytes: [UInt8], to id: ConnectionID, on loop: EventLoop, events: @escaping Events
  ) {
    guard var connection = connections[id] else { return }
    let wasEmpty = connection.output.isEmpty
    connection.output += bytes
    guard connection.output.count <= Self.longestOutput else { return fail(id, loop, events) }
    connections[id] = connection
    if connection.isConnected && wasEmpty { flush(id, on: loop, events: events) }
  }

  func close(_ id: ConnectionID, on loop: EventLoop) {
    if let connection = connections.removeValue(forKey: id) { loop.forget(connection.token) }
  }

  func closeAll(on loop: EventLoop) {
    for connection in connections.values { loop.forget(connection.token) }
    connections = [:]
  }

  /// What there is to read, and room to write.
  func handle(
    _ id: ConnectionID, _ readiness: Readiness, on loop: EventLoop, events: @escaping Events
  ) {
    guard let connection = connections[id] else { return }
    if !connection.isConnected && (readiness.writable || readiness.broken) {
      guard connection.stream.connectionError() == nil else { return fail(id, loop, events) }
      connections[id]?.isConnected = true
      events(.connected(id))
    }
    if readiness.writable { flush(id, on: loop, events: events) }
    if readiness.readable || readiness.broken { read(id, on: loop, events: events) }
  }

  private struct TooMany: Error {}

  private func add(
    _ stream: TCPStream, _ id: ConnectionID, isConnected: Bool, on loop: EventLoop,
    wake: @escaping Waker
  ) throws(EventLoop.Failure) {
    let token = try loop.watch(stream.descriptor, output: !isConnected) {
      wake(.connection(id, $0))
    }
    connections[id] = Connection(stream: stream, token: token, isConnected: isConnected)
  }

  private func read(_ id: ConnectionID, on loop: EventLoop, events: @escaping Events) {
    guard let connection = connections[id], connection.isConnected else { return }
    do throws(SocketError) {
      switch try connection.stream.read() {
      case .bytes(let bytes): events(.received(id, bytes))
      case .nothingYet: return
      case .end: fail(id, loop, events)
      }
    } catch { fail(id, loop, events) }
  }

  private func flush(_ id: ConnectionID, on loop: EventLoop, events: @escaping Events) {
    guard let connection = connections[id], connection.isConnected else { return }
    do throws(SocketError) {
      let count = try connection.stream.write(connection.output[...])
      connections[id]?.output.removeFirst(count)
      loop.want(output: count < connection.output.count, of: connection.token)
    } catch { fail(id, loop, events) }
  }

  private func fail(_ id: ConnectionID, _ loop: EventLoop, _ events: @escaping Events) {
    close(id, on: loop)
    // Behind this call, since whoever writes is in the middle of its own work.
    loop.perform { events(.closed(id)) }
  }
}
