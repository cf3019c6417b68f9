public import Sealing
public import Units

/// One end of a reliable connection between two peers: bytes in, messages out, and back.
///
///     dialler                              listener
///       hello(a)       -- group's key ->
///                      <- group's key --   welcome(b, a)
///       ready          -- own key ----->                    key of a and b
///       messages       <- own key ----->   messages
///
/// Both nonces go into the connection's key, so that nothing recorded from another connection
/// opens in this one; frames are numbered without a gap, so that none can be left out, doubled
/// or moved. The link neither reads nor writes a socket: its shell does.
public struct ReliableLink: Sendable {
  /// Which end this is.
  public enum Role: Hashable, Sendable {
    case dialler
    case listener
  }

  /// What came of bytes that arrived.
  public enum Event: Hashable, Sendable {
    /// The other end is known and alive; messages may be sent.
    case ready(peer: PeerID, incarnation: Incarnation)
    case message(Message)
    /// Bytes to be written to the other end.
    case write([UInt8])
  }

  /// The longest frame before the link is open: a welcome, with two nonces.
  private static let longestHandshakeFrame = FrameCodec.overhead + 32

  private enum State: Sendable {
    case awaitingHello
    case awaitingWelcome(own: ChallengeNonce)
    case awaitingReady(key: FrameKey)
    case open(key: FrameKey)
    case broken
  }

  private let codec: FrameCodec
  private let handshakeKey: FrameKey
  private let me: PeerID
  private let incarnation: Incarnation
  private var state: State
  private var buffer: [UInt8] = []
  private var sent: UInt64 = 0
  private var received: UInt64 = 0
  private var other: (peer: PeerID, incarnation: Incarnation)?

  /// Makes one end. A dialler then writes what ``start(generator:)`` gives.
  public init(role: Role, cipher: Cipher, me: PeerID, incarnation: Incarnation) {
    codec = FrameCodec(tag: cipher.tag)
    handshakeKey = cipher.connectionKey
    self.me = me
    self.incarnation = incarnation
    state = role == .dialler ? .broken : .awaitingHello
  }

  /// Who is at the other end, once its first frame was opened.
  public var peer: PeerID? { other?.peer }

  /// Whether messages may be sent.
  public var isOpen: Bool { if case .open = state { true } else { false } }

  /// The dialler's first bytes.
  public mutating func start(generator: inout SecureGenerator) -> [UInt8] {
    let nonce = ChallengeNonce(from: &generator)
    state = .awaitingWelcome(own: nonce)
    return encode(.hello(nonce), key: handshakeKey, generator: &generator)
  }

  /// The bytes that carry `message`; nothing while the link is not open.
  public mutating func send(
    _ message: Message, generator: inout SecureGenerator
  ) -> [UInt8]? {
    guard case .open(let key) = state else { return nil }
    return encode(message, key: key, generator: &generator)
  }

  /// Takes bytes that arrived, in any portions.
  ///
  /// - Throws: the reason to close the connection: nothing more can be understood on it.
  public mutating func receive(
    _ bytes: [UInt8], generator: inout SecureGenerator
  ) throws(WireRefusal) -> [Event] {
    buffer += bytes
    var events: [Event] = []
    do {
      var used = 0
      while let frame = try nextFrame(from: used) {
        used += frame.bytes.count
        events += try take(frame, generator: &generator)
      }
      buffer.removeFirst(used)
    } catch {
      state = .broken
      buffer = []
      throw error
    }
    return events
  }

  private func nextFrame(
    from start: Int
  ) throws(WireRefusal) -> (header: WireHeader, bytes: ArraySlice<UInt8>)? {
    let rest = buffer[start...]
    guard rest.count >= WireHeader.length else { return nil }
    let header = try WireHeader(reading: rest)
    let length = Int(header.totalLength)
    guard length >= FrameCodec.overhead else { throw .tooShort }
    guard !header.category.isDatagram else { throw .unexpected }
    guard header.groupTag == codec.tag else { throw .otherGroup }
    // Who has not shown the key yet gets no room to fill.
    guard isOpen || length <= Self.longestHandshakeFrame else { throw .tooLong }
    return rest.count < length ? nil : (header, rest.prefix(length))
  }

  private mutating func take(
    _ frame: (header: WireHeader, bytes: ArraySlice<UInt8>), generator: inout SecureGenerator
  ) throws(WireRefusal) -> [Event] {
    let header = frame.header
    guard header.sequence == received + 1 else { throw .replayed }
    if let other, other != (header.sender, header.incarnation) { throw .unexpected }
    if header.sender == me { throw .own }
    let message = try codec.decode(frame.bytes, header: header, key: expectedKey)
    received += 1
    other = (header.sender, header.incarnation)
    return try advance(with: message, from: header, generator: &generator)
  }

  private var expectedKey: FrameKey {
    switch state {
    case .awaitingReady(let key), .open(let key): key
    default: handshakeKey
    }
  }

  private mutating func advance(
    with message: Message, from header: WireHeader, generator: inout SecureGenerator
  ) throws(WireRefusal) -> [Event] {
    let ready = Event.ready(peer: header.sender, incarnation: header.incarnation)
    switch (state, message) {
    case (.awaitingHello, .hello(let nonce)):
      let own = ChallengeNonce(from: &generator)
      let reply = encode(
        .welcome(nonce: own, echo: nonce), key: handshakeKey, generator: &generator)
      state = .awaitingReady(key: linkKey(dialler: nonce, listener: own))
      return [.write(reply)]
    case (.awaitingWelcome(let own), .welcome(let nonce, let echo)):
      guard echo == own else { throw .replayed }
      let key = linkKey(dialler: own, listener: nonce)
      state = .open(key: key)
      return [.write(encode(.ready, key: key, generator: &generator)), ready]
    case (.awaitingReady(let key), .ready):
      state = .open(key: key)
      return [ready]
    case (.open, .hello), (.open, .welcome), (.open, .ready): throw .unexpected
    case (.open, _): return [.message(message)]
    default: throw .unexpected
    }
  }

  private func linkKey(dialler: ChallengeNonce, listener: ChallengeNonce) -> FrameKey {
    var writer = ByteWriter()
    for nonce in [dialler, listener] {
      writer.put(nonce.high)
      writer.put(nonce.low)
    }
    return handshakeKey.subkey(for: "link", context: writer.bytes)
  }

  private mutating func encode(
    _ message: Message, key: FrameKey, generator: inout SecureGenerator
  ) -> [UInt8] {
    sent += 1
    return codec.encode(
      message, sender: me, incarnation: incarnation, sequence: sent, key: key,
      generator: &generator)
  }
}
