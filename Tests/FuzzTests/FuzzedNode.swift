import Sealing
import Synchronization
import Units

@testable import PeerCore

/// A node that hears whatever one proven peer may say, valid message by valid message; and a link
/// whose other end writes what it likes.
enum FuzzedNode {
  /// How many pieces nodes and links were given, of all inputs together: messages, and portions.
  static let pieceCount = Atomic<Int>(0)

  private static let cipher = Cipher.clear(tag: 1)
  private static let me = PeerID(high: 1, low: 1)
  private static let run = Incarnation(count: 1, nonce: 1)
  private static let other = PeerID(high: 2, low: 2)
  private static let path = PathAddress(interface: 1, address: [10, 0, 0, 2], port: 9)

  /// Pieces of two bytes of length, one of time in units of 20 ms, one of category, and a payload.
  static func datagrams(_ bytes: [UInt8]) {
    var now = start
    var (node, sealer, generator) = fresh
    let pieces = pieces(bytes)
    pieceCount.add(pieces.count, ordering: .relaxed)
    for (head, payload) in pieces {
      now = now + .milliseconds(20 * Int64(head.time))
      _ = node.advance(to: now)
      let all = WireHeader.Category.allCases
      let category = all[all.index(all.startIndex, offsetBy: Int(head.category) % all.count)]
      guard let message = try? Message(category, payload: payload) else { continue }
      var actions: [PeerAction] = []
      if category.isDatagram {
        let sealed = sealer.seal(message, generator: &generator)
        actions = node.receive(datagram(sealed, at: now), at: now)
      } else {
        _ = node.linkReady(other, incarnation: run, at: now)
        actions = node.linkMessage(message, from: other, at: now)
      }
      precondition(actions.count < 1000, "\(actions.count) actions for one message")
      precondition(node.peers.count <= 1, "nobody else has proved anything")
      precondition(node.takes.count <= 64, "\(node.takes.count) takes are remembered")
    }
    _ = node.advance(to: now + .seconds(10))
    _ = (node.nextWakeup, node.syncStatus(at: now), node.now(at: now), node.storedTime)
  }

  /// Bytes as they come, in portions, at either end of a link.
  static func link(_ bytes: [UInt8]) {
    for role in [ReliableLink.Role.listener, .dialler] {
      var generator = SecureGenerator(simulationSeed: 3)
      var link = ReliableLink(role: role, cipher: cipher, me: me, incarnation: run)
      if role == .dialler { _ = link.start(generator: &generator) }
      var rest = bytes[...]
      while let first = rest.first {
        let portion = rest.prefix(1 + Int(first))
        rest = rest.dropFirst(portion.count)
        pieceCount.add(1, ordering: .relaxed)
        guard (try? link.receive(Array(portion), generator: &generator)) != nil else { break }
      }
    }
  }

  private static let start = HostInstant(nanoseconds: 1_000_000_000)
  /// Each input begins with a copy: to make one takes longer than most inputs.
  private static let fresh = proven(at: start)

  /// A node to which the other peer has given back its nonce.
  private static func proven(
    at now: HostInstant
  ) -> (PeerNode, DatagramSealer, SecureGenerator) {
    var node = PeerNode(
      configuration: PeerNodeConfiguration(
        peer: me, incarnation: run, label: "a", software: "fuzz", unicastPort: 9, reliablePort: 9,
        cipher: cipher, wall: WallReading(unixNanoseconds: 0, host: now)),
      generator: SecureGenerator(simulationSeed: 1), at: now)
    var sealer = DatagramSealer(cipher: cipher, sender: other, incarnation: run)
    var generator = SecureGenerator(simulationSeed: 2)
    let beacon = Beacon(unicastPort: 9, reliablePort: 9, label: "b", software: "fuzz")
    let hello = sealer.seal(.beacon(beacon), generator: &generator)
    var opener = DatagramOpener(
      cipher: cipher, me: other, incarnation: Incarnation(count: 9, nonce: 9))
    for case .send(let bytes, _, _) in node.receive(datagram(hello, at: now), at: now) {
      guard case .challenge(let nonce)? = try? opener.open(bytes).message else { continue }
      let echo = sealer.seal(.challengeEcho(nonce), generator: &generator)
      _ = node.receive(datagram(echo, at: now), at: now)
    }
    precondition(node.peers.count == 1, "the other peer has proved that it lives")
    return (node, sealer, generator)
  }

  private static func datagram(_ bytes: [UInt8], at now: HostInstant) -> ReceivedDatagram {
    ReceivedDatagram(bytes: bytes, path: path, stamp: now, stampKind: .kernel)
  }

  /// 64 pieces at most: what comes after them is passed over.
  private static func pieces(
    _ bytes: [UInt8]
  ) -> [(head: (time: UInt8, category: UInt8), payload: ArraySlice<UInt8>)] {
    var found: [(head: (time: UInt8, category: UInt8), payload: ArraySlice<UInt8>)] = []
    var rest = bytes[...]
    while rest.count >= 4, found.count < 64 {
      let start = rest.startIndex
      let length = Int(rest[start]) << 8 | Int(rest[start + 1])
      let payload = rest.dropFirst(4).prefix(length)
      found.append(((rest[start + 2], rest[start + 3]), payload))
      rest = rest.dropFirst(4 + payload.count)
    }
    return found
  }
}
