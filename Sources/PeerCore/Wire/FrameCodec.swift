internal import Sealing
internal import Units

/// Makes whole datagrams and frames of messages, and messages of those.
struct FrameCodec: Sendable {
  /// The longest datagram: it fits any network's unfragmented packet of 1280 bytes.
  static let longestDatagram = 1200
  /// The longest frame of a reliable link.
  static let longestFrame = Int(UInt16.max)
  /// How much longer a frame is than its payload.
  static let overhead = WireHeader.length + Seal.nonceLength + Seal.overhead

  let tag: UInt64

  func encode(
    _ message: Message, sender: PeerID, incarnation: Incarnation, sequence: UInt64, key: FrameKey,
    generator: inout SecureGenerator
  ) -> [UInt8] {
    let payload = message.payload
    let header = WireHeader(
      category: message.category, totalLength: payload.count + Self.overhead, groupTag: tag,
      sender: sender, incarnation: incarnation, sequence: sequence)
    switch key {
    case .sealed(let key):
      let clear = header.bytes
      let nonce = generator.bytes(Seal.nonceLength)
      return clear + nonce
        + Seal.seal(payload, additional: clear[...], nonce: nonce[...], key: key)
    case .clear:
      var frame = ByteWriter(capacity: payload.count + Self.overhead)
      header.put(into: &frame)
      frame.put(zeros: Seal.nonceLength + Seal.overhead)
      frame.put(raw: payload)
      return frame.bytes
    }
  }

  /// Opens one whole frame whose header was read already.
  func decode(
    _ frame: ArraySlice<UInt8>, header: WireHeader, key: FrameKey
  ) throws(WireRefusal) -> Message {
    let body = frame.dropFirst(WireHeader.length)
    switch key {
    case .sealed(let key):
      let nonce = body.prefix(Seal.nonceLength)
      guard
        let payload = Seal.open(
          body.dropFirst(Seal.nonceLength), additional: frame.prefix(WireHeader.length),
          nonce: nonce, key: key)
      else { throw .wrongKeyOrForged }
      return try Message(header.category, payload: payload[...])
    case .clear:
      let payload = body.dropFirst(Seal.nonceLength + Seal.overhead)
      return try Message(header.category, payload: payload)
    }
  }
}
