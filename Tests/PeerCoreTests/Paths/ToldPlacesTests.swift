import PeerCore
import Sealing
import Simulation
import TestLanes
import Testing
import Units

@Suite("Places that others told of", .computing)
struct ToldPlacesTests {
  private let start = HostInstant(nanoseconds: 0)

  private func node() -> PeerNode {
    PeerNode(
      configuration: PeerNodeConfiguration(
        peer: PeerID(high: 1, low: 1), incarnation: Incarnation(count: 1, nonce: 1), label: "a",
        software: "test", unicastPort: 1, reliablePort: 0, cipher: Fleet.clearCipher,
        wall: WallReading(unixNanoseconds: 0, host: start)),
      generator: SecureGenerator(simulationSeed: 5), at: start)
  }

  private func place(_ number: Int, interface: UInt32 = 0) -> PathAddress {
    PathAddress(interface: interface, address: [10, 0, 0, UInt8(number)], port: 9)
  }

  private func sent(_ actions: [PeerAction]) -> [PathAddress] {
    actions.compactMap { if case .send(_, let path, _) = $0 { path } else { nil } }
  }

  @Test("a place is looked at once it is told, and with each beacon; 64 are, and the last ones")
  func limit() {
    var node = node()
    _ = node.advance(to: start)
    for number in 0..<64 { #expect(sent(node.look(at: place(number), now: start)).count == 1) }
    #expect(node.look(at: place(3), now: start).isEmpty)
    _ = node.look(at: place(64), now: start)
    let next = sent(node.advance(to: start + .milliseconds(50)))
    #expect(Set(next) == Set((1...64).map { place($0) }))
    for number in 1...64 { node.forget(place: place(number)) }
    #expect(sent(node.advance(to: start + .milliseconds(150))).isEmpty)
  }

  @Test("where a peer is known by now, by whichever interface, nobody looks any more")
  func known() {
    var node = node()
    _ = node.advance(to: start)
    _ = node.look(at: place(9), now: start)
    let peer = PeerID(high: 2, low: 2)
    let run = Incarnation(count: 1, nonce: 7)
    var sealer = DatagramSealer(cipher: Fleet.clearCipher, sender: peer, incarnation: run)
    var generator = SecureGenerator(simulationSeed: 3)
    func says(_ message: Message) -> ReceivedDatagram {
      ReceivedDatagram(
        bytes: sealer.seal(message, generator: &generator), path: place(9, interface: 4),
        stamp: start, stampKind: .kernel, wasMulticast: false)
    }
    let beacon = Beacon(unicastPort: 9, reliablePort: 0, label: "b", software: "test")
    var opener = DatagramOpener(
      cipher: Fleet.clearCipher, me: peer, incarnation: Incarnation(count: 9, nonce: 9))
    for case .send(let bytes, _, _) in node.receive(says(.beacon(beacon)), at: start) {
      guard case .challenge(let nonce)? = try? opener.open(bytes).message else { continue }
      _ = node.receive(says(.challengeEcho(nonce)), at: start)
    }
    #expect(node.peers.map(\.peer) == [peer])
    let next = sent(node.advance(to: start + .milliseconds(400)))
    #expect(!next.contains(place(9)))
    #expect(next.contains(place(9, interface: 4)))
  }
}
