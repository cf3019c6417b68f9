internal import CLinux
internal import Glibc

/// A connected, or connecting, stream of bytes that never blocks.
public struct TCPStream: Sendable {
  private let handle: Descriptor
  /// The other end.
  public let remote: SocketAddress

  /// The descriptor, for an event loop to watch.
  public var descriptor: Int32 { handle.number }

  /// How long bytes may stay unacknowledged, in milliseconds, before a stream ends: else one that
  /// lost its network would be silent for a quarter of an hour.
  public static let patienceMilliseconds: Int32 = 8_000

  /// Begins to connect to `address`; the stream can be written when it is connected.
  ///
  /// - Parameter isBound: whether an IPv4 stream keeps to the address's interface, whatever the
  ///   routing says. Not for addresses of this very host.
  public init(
    connectingTo address: SocketAddress, isBound: Bool = false
  ) throws(SocketError) {
    let subject = address.description
    handle = Descriptor(try check(linux_socket(address.family, true), "socket", subject))
    remote = address
    Self.prepare(handle.number)
    if isBound, address.family == 4, address.interface > 0 {
      // A kernel that does not allow it goes by its routing.
      _ = linux_bind_to_interface(handle.number, address.interface)
    }
    let status = linux_connect(
      handle.number, address.family, address.bytes, UInt32(address.bytes.count), address.port,
      address.interface)
    if status != -EINPROGRESS { try check(status, "connect", subject) }
  }

  init(accepted: Int32, remote: SocketAddress) {
    handle = Descriptor(accepted)
    self.remote = remote
    Self.prepare(accepted)
  }

  private static func prepare(_ descriptor: Int32) {
    _ = linux_set_no_delay(descriptor)
    _ = linux_set_user_timeout(descriptor, patienceMilliseconds)
  }

  /// Why a connection was not made; nothing where it was.
  public func connectionError() -> SocketError? {
    let code = linux_socket_error(handle.number)
    return code == 0
      ? nil : SocketError(code: code, function: "connect", subject: remote.description)
  }

  /// What reading found.
  public enum Input: Hashable, Sendable {
    case bytes([UInt8])
    case nothingYet
    case end
  }

  /// Reads up to `limit` bytes that have arrived.
  public func read(upTo limit: Int = 65_536) throws(SocketError) -> Input {
    var room = [UInt8](repeating: 0, count: limit)
    let count = Glibc.recv(handle.number, &room, limit, Int32(MSG_DONTWAIT))
    if count > 0 { return .bytes(Array(room.prefix(count))) }
    if count == 0 { return .end }
    if errno == EAGAIN || errno == EINTR { return .nothingYet }
    throw SocketError(code: errno, function: "recv", subject: remote.description)
  }

  /// Writes as much of `bytes` as there is room for; how much that was.
  public func write(_ bytes: ArraySlice<UInt8>) throws(SocketError) -> Int {
    let count = bytes.withUnsafeBytes {
      Glibc.send(
        handle.number, $0.baseAddress, $0.count,
        Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return count }
    if errno == EAGAIN || errno == EINTR { return 0 }
    throw SocketError(code: errno, function: "send", subject: remote.description)
  }
}

/// A port that accepts streams.
public struct TCPListener: Sendable {
  private let handle: Descriptor
  /// The port that is listened on.
  public let port: UInt16

  /// The descriptor, for an event loop to watch.
  public var descriptor: Int32 { handle.number }

  /// Listens on `port` (0: any free one) at `address` (nothing: any) of `family` (4 or 6).
  public init(family: Int32, address: [UInt8] = [], port: UInt16) throws(SocketError) {
    let subject = "TCP port \(port)"
    handle = Descriptor(try check(linux_socket(family, true), "socket", subject))
    try check(linux_set_reuse_address(handle.number), "setsockopt", subject)
    try check(
      linux_bind(handle.number, family, address, UInt32(address.count), port, 0), "bind", subject)
    try check(linux_listen(handle.number, 64), "listen", subject)
    self.port = UInt16(
      truncatingIfNeeded: try check(linux_bound_port(handle.number), "getsockname", subject))
  }

  /// The next connection that waits to be accepted, or nothing.
  public func accept() -> TCPStream? {
    var packet = linux_packet()
    let accepted = linux_accept(handle.number, &packet)
    guard accepted >= 0 else { return nil }
    let bytes = withUnsafeBytes(of: packet.address) { Array($0.prefix(Int(packet.address_length))) }
    guard bytes.count == 4 || bytes.count == 16 else {
      close(accepted)
      return nil
    }
    return TCPStream(
      accepted: accepted,
      remote: SocketAddress(bytes: bytes, port: packet.port, interface: packet.scope))
  }
}
