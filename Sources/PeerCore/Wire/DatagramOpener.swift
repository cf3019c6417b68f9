public import Units

/// Opens datagrams and refuses, with a reason, what is not for this peer.
///
/// A sealed datagram could have been recorded and be played again: each number of a sender's run
/// has an effect once, and a run has none until it has given back a fresh nonce of ours.
public struct DatagramOpener: Sendable {
  /// The most peers that are told apart; more are refused, so that memory is bounded.
  public static let mostPeers = 1024

  private struct Sender: Sendable {
    var incarnation: Incarnation
    var window: ReplayWindow
  }

  private let codec: FrameCodec
  private let key: FrameKey
  private let me: PeerID
  private let incarnation: Incarnation
  private var proven: [PeerID: Sender] = [:]

  /// Makes the opener of the peer `me`'s run `incarnation`.
  public init(cipher: Cipher, me: PeerID, incarnation: Incarnation) {
    codec = FrameCodec(tag: cipher.tag)
    key = cipher.datagramKey
    self.me = me
    self.incarnation = incarnation
  }

  /// Opens `datagram`. Someone else's datagram under our own id is let through as unproven: that
  /// is how a twin is noticed.
  public mutating func open(_ datagram: [UInt8]) throws(WireRefusal) -> OpenedDatagram {
    guard datagram.count <= FrameCodec.longestDatagram else { throw .tooLong }
    let header = try WireHeader(reading: datagram[...])
    guard header.category.isDatagram else { throw .unexpected }
    guard datagram.count >= FrameCodec.overhead, datagram.count >= Int(header.totalLength) else {
      throw .tooShort
    }
    guard datagram.count == Int(header.totalLength) else { throw .tooLong }
    guard header.groupTag == codec.tag else { throw .otherGroup }
    if header.sender == me && header.incarnation == incarnation { throw .own }
    return try open(datagram, header: header)
  }

  private mutating func open(
    _ datagram: [UInt8], header: WireHeader
  ) throws(WireRefusal) -> OpenedDatagram {
    let place = proven.index(forKey: header.sender).flatMap {
      proven.values[$0].incarnation == header.incarnation ? $0 : nil
    }
    if let place, !proven.values[place].window.accepts(header.sequence) { throw .replayed }
    let message = try codec.decode(datagram[...], header: header, key: key)
    if let place {
      proven.values[place].window.note(header.sequence)
      return OpenedDatagram(header: header, message: message, isProven: true)
    }
    switch message {
    case .beacon, .challenge, .challengeEcho:
      return OpenedDatagram(header: header, message: message, isProven: false)
    default: throw .unproven
    }
  }

  /// Which run a datagram says it is from; nothing where it has no header.
  func run(of datagram: [UInt8]) -> PeerRun? {
    do {
      let header = try WireHeader(reading: datagram[...])
      return PeerRun(peer: header.sender, incarnation: header.incarnation)
    } catch {
      return nil
    }
  }

  /// Takes note that the sender of `echo` has given back our nonce: its run is proven, and an
  /// earlier run of it has no effect from now on.
  ///
  /// Nor has anything that the run sent before the echo: it could have been recorded before we
  /// listened, so that we never saw its number.
  ///
  /// - Throws: ``WireRefusal/tableFull`` where ``mostPeers`` others are proven.
  public mutating func prove(_ echo: WireHeader) throws(WireRefusal) {
    let peer = echo.sender
    guard proven[peer] != nil || proven.count < Self.mostPeers else { throw .tableFull }
    guard proven[peer]?.incarnation != echo.incarnation else { return }
    proven[peer] = Sender(
      incarnation: echo.incarnation, window: ReplayWindow(after: echo.sequence))
  }

  /// Whether the run is the proven one of its peer.
  public func isProven(_ peer: PeerID, incarnation: Incarnation) -> Bool {
    proven[peer]?.incarnation == incarnation
  }

  /// Forgets a peer that has long been gone; it has to prove itself again.
  public mutating func forget(_ peer: PeerID) { proven[peer] = nil }
}
