public import Sealing
public import Units

/// Makes the datagrams of one run of a peer.
public struct DatagramSealer: Sendable {
  private let codec: FrameCodec
  private let key: FrameKey
  private let sender: PeerID
  private let incarnation: Incarnation
  private var sequence: UInt64 = 0

  /// Makes the sealer of `sender`'s run `incarnation`.
  public init(cipher: Cipher, sender: PeerID, incarnation: Incarnation) {
    codec = FrameCodec(tag: cipher.tag)
    key = cipher.datagramKey
    self.sender = sender
    self.incarnation = incarnation
  }

  /// The next datagram, with `message` in it.
  public mutating func seal(
    _ message: Message, generator: inout SecureGenerator
  ) -> [UInt8] {
    precondition(message.category.isDatagram, "\(message.category) travels by a reliable link")
    sequence += 1
    return codec.encode(
      message, sender: sender, incarnation: incarnation, sequence: sequence, key: key,
      generator: &generator)
  }
}
