import PeerCore
import Sealing
import TestLanes
import Testing
import Units

/// Who sends what bears the group's tag and does not open.
@Suite("Forged datagrams by place", .computing)
struct ForgedPlacesTests {
  private let start = HostInstant(nanoseconds: 0)

  private func keys(_ byte: UInt8) throws -> GroupKeys {
    let root = try #require(SecretKey([UInt8](repeating: byte, count: SecretKey.length)))
    return GroupKeys(group: "band", stretched: root)
  }

  @Test("each address is told of once, whatever its ports; beyond 64 none is, and all are counted")
  func places() throws {
    var node = PeerNode(
      configuration: PeerNodeConfiguration(
        peer: PeerID(high: 1, low: 1), incarnation: Incarnation(count: 1, nonce: 1), label: "a",
        software: "test", unicastPort: 1, reliablePort: 0, cipher: .sealed(try keys(1)),
        wall: WallReading(unixNanoseconds: 0, host: start)),
      generator: SecureGenerator(simulationSeed: 5), at: start)
    var sealer = DatagramSealer(
      cipher: .sealed(try keys(2)), sender: PeerID(high: 2, low: 2),
      incarnation: Incarnation(count: 1, nonce: 2))
    var generator = SecureGenerator(simulationSeed: 6)
    var notes = 0
    for number in 0..<70 {
      for port in 1...3 {
        let path = PathAddress(
          interface: 2, address: [10, 0, 0, UInt8(number)], port: UInt16(port))
        let bytes = sealer.seal(
          .beacon(Beacon(unicastPort: 9, reliablePort: 9, label: "x", software: "x")),
          generator: &generator)
        let datagram = ReceivedDatagram(bytes: bytes, path: path, stamp: start, stampKind: .kernel)
        notes += node.receive(datagram, at: start).count
      }
    }
    #expect(notes == 64)
    #expect(node.refusals[.wrongKeyOrForged] == 210)
    #expect(node.refusals.total == 210)
    #expect(node.wrongKeys.count == 64)
    #expect(node.wrongKeys.values.allSatisfy { $0 == 3 })
  }
}
