public import EventLoop
internal import HostClock
public import PeerCore
internal import Units

/// The network itself: UDP with the kernel's stamps, multicast, and TCP.
public final class NetworkTransport: PeerTransport {
  /// Safe to share: it is touched on the loop's thread only, which `core` checks.
  nonisolated(unsafe) private let unguarded: NetworkCore

  private var core: NetworkCore {
    precondition(unguarded.isOnLoop, "a transport is used on its clock's event loop only")
    return unguarded
  }

  /// Makes the transport that `configuration` describes; ``open(on:events:)`` opens its ports.
  public init(configuration: PeerClockConfiguration) {
    unguarded = NetworkCore(settings: NetworkSettings(configuration))
  }

  public func open(
    on loop: EventLoop, events: @escaping @Sendable (TransportEvent) -> Void
  ) throws(PeerClockError) -> TransportPorts {
    precondition(loop.isCurrent, "a transport is opened on its clock's event loop")
    return try unguarded.open(on: loop, events: events) { [weak self] wake in
      self?.unguarded.handle(wake)
    }
  }

  public func send(_ bytes: [UInt8], to address: PathAddress, token: SendToken?) {
    core.send(bytes, to: address, token: token)
  }

  public func multicast(_ bytes: [UInt8], channel: Int) {
    core.multicast(bytes, channel: channel)
  }

  public func connect(to address: PathAddress) -> ConnectionID { core.connect(to: address) }

  public func write(_ bytes: [UInt8], to connection: ConnectionID) {
    core.write(bytes, to: connection)
  }

  public func close(_ connection: ConnectionID) { core.close(connection) }

  public func close() { core.close() }
}
