public import EventLoop
public import PeerCore
public import Units

/// How a clock's bytes reach other peers: the network, or a make-believe one in tests.
///
/// A transport belongs to one clock. Its functions are called on the clock's event loop, and it
/// calls back there, never from within a call.
public protocol PeerTransport: Sendable {
  /// Begins to carry bytes, and says on which ports it is reached.
  func open(
    on loop: EventLoop, events: @escaping @Sendable (TransportEvent) -> Void
  ) throws(PeerClockError) -> TransportPorts

  /// Sends a datagram to one place. With a token, the time at which it left is told later, as
  /// exactly as can be.
  func send(_ bytes: [UInt8], to address: PathAddress, token: SendToken?)

  /// Sends a datagram to every peer that multicast reaches on one of its channels, counted from 0.
  func multicast(_ bytes: [UInt8], channel: Int)

  /// Begins to connect to a place; ``TransportEvent/connected(_:)`` or
  /// ``TransportEvent/closed(_:)`` says what came of it.
  func connect(to address: PathAddress) -> ConnectionID

  /// Writes to a connection, in order.
  func write(_ bytes: [UInt8], to connection: ConnectionID)

  /// Closes a connection; no event tells of it.
  func close(_ connection: ConnectionID)

  /// Ends it all; no event comes afterwards. May be called twice.
  func close()
}

/// Makes the transport of the peer with the given id.
public typealias TransportFactory = @Sendable (PeerID) -> any PeerTransport

/// A connection of one transport.
public struct ConnectionID: Hashable, Sendable {
  public let number: UInt64

  /// Makes an id that its transport has not used yet.
  public init(number: UInt64) { self.number = number }
}

/// Where a transport is reached.
public struct TransportPorts: Hashable, Sendable {
  /// The port for datagrams.
  public let unicast: UInt16
  /// The port for connections.
  public let reliable: UInt16
  /// Over how many channels multicast goes out: an interface and a family of addresses each.
  public let channels: Int

  /// Makes a pair of ports.
  public init(unicast: UInt16, reliable: UInt16, channels: Int = 1) {
    self.unicast = unicast
    self.reliable = reliable
    self.channels = channels
  }

  /// The same ports with other channels.
  func with(channels: Int) -> TransportPorts {
    TransportPorts(unicast: unicast, reliable: reliable, channels: channels)
  }
}

/// What a transport has to tell.
public enum TransportEvent: Sendable {
  /// A datagram arrived, at `stamp` in this host's time.
  case datagram(ReceivedDatagram)
  /// The datagram that was sent with `token` left at `stamp`.
  case sent(SendToken, stamp: HostInstant, kind: StampKind)
  /// Over how many channels multicast goes out from now on.
  case channels(Int)
  /// Someone connected.
  case accepted(ConnectionID, from: PathAddress)
  /// A connection of our own stands.
  case connected(ConnectionID)
  /// Bytes arrived on a connection.
  case received(ConnectionID, [UInt8])
  /// A connection is no more, or did not come about.
  case closed(ConnectionID)
}
