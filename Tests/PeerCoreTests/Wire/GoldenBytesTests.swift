import Sealing
import TestLanes
import Testing
import Units

@testable import PeerCore

/// The bytes were put together by another program from the tables of docs/protocol.md. A change
/// of any is a change of the protocol, which other versions on the same network would not
/// understand.
@Suite("The bytes on the wire", .computing)
struct GoldenBytesTests {
  struct Golden: Sendable, CustomTestStringConvertible {
    let name: String
    let message: Message
    let payload: String
    var testDescription: String { name }
  }

  static let map = """
    5e55101112131415161718191a1b1c1d 00000009 000000003b9aca07 00004e94914f007b bf03a92a30553261
    00000000000005dc 0000000000061a80 3e7ad7f29abcaf48
    """
  static let term = "01 0000000000000003 00112233445566778899aabbccddeeff"
  static let command = "00000007 decade00 000000000000002a"
  static let nonce = "0102030405060708090a0b0c0d0e0f10"

  static let goldens = [
    Golden(
      name: "beacon", message: Samples.beacon,
      payload: """
        9c41 9c42 000d 7374616765206c65667420c3a9 000c 7265636f7264657220302e31 01 0000012c
        """),
    Golden(
      name: "probe", message: Samples.probe, payload: "01020304 fffffffffffffffb 0*196"),
    Golden(
      name: "probe reply", message: Samples.probeReply,
      payload: """
        01020304 fffffffffffffffb 1000000000000000 00 00007048860ddf79 02
        01020302 000000000000006f 00 01020303 ffffffffffffff22 01 0*26 \(term) 01 \(map) 0*32
        """),
    Golden(
      name: "heartbeat", message: Samples.heartbeat,
      payload: """
        \(term) 01 01 5e55101112131415161718191a1b1c1d 00004e94914f0000 186cc6acd4b00000
        0000000001312d00 ffffcec8 01 0ddba110000000000000000000000009 02 02 0003 0002 0000003d 0000000000000011
        02 5e55101112131415161718191a1b1c1d 7a6b0000000000010000000000000002 0000000c
        0006 7363c3a86e65 00004e94914f007b 01 00004e94cce9ca00
        5e55101112131415161718191a1b1c1d 00000000000000030000000000000004 00000000
        0000 ffffffffffffffff 00
        """),
    Golden(
      name: "heartbeat of one who knows nobody", message: Samples.loneHeartbeat,
      payload: "00 00 00 00 00 0001 0000 00000000 0000000000000000 00"),
    Golden(name: "challenge", message: .challenge(Samples.nonce), payload: nonce),
    Golden(name: "challenge echo", message: .challengeEcho(Samples.nonce), payload: nonce),
    Golden(
      name: "introduction", message: Samples.introduction,
      payload: "00112233445566778899aabbccddeeff 0004 c0a80114 9c41"),
    Golden(name: "hello", message: .hello(Samples.nonce), payload: nonce),
    Golden(
      name: "welcome", message: .welcome(nonce: Samples.listenerNonce, echo: Samples.nonce),
      payload: "f1f2f3f4f5f6f7f8f9fafbfcfdfeff00 \(nonce)"),
    Golden(name: "ready", message: .ready, payload: ""),
    Golden(
      name: "command", message: Samples.start,
      payload: """
        \(command) 000e 7265636f726465722e7374617274 01 00004e94cce9ca00 0003 0102ff
        """),
    Golden(
      name: "command that never expires", message: Samples.everlasting,
      payload: "\(command) 0000 00 0000"),
    Golden(
      name: "acknowledgement", message: .acknowledgement(Samples.command), payload: command),
    Golden(
      name: "status", message: Samples.status,
      payload: """
        0000000000000011 0002 0005 6c6576656c 0000000000000010 01 0002 cafe
        0004 676f6e65 0000000000000011 00
        """),
    Golden(
      name: "status request", message: .statusRequest(knownGeneration: 16),
      payload: "0000000000000010"),
  ]

  @Test("of each payload, both ways", arguments: goldens)
  func payload(golden: Golden) throws {
    let bytes = Hex.bytes(golden.payload)
    #expect(Hex.text(golden.message.payload) == Hex.text(bytes))
    let read = try Message(golden.message.category, payload: bytes[...])
    #expect(read == golden.message)
  }

  @Test("every category has a payload here")
  func complete() {
    let covered = Self.goldens.map { $0.message.category.rawValue }
    let known = WireHeader.Category.allCases.map(\.rawValue)
    #expect(Set(covered) == Set(known))
  }

  @Test("of the header, both ways")
  func header() throws {
    let header = WireHeader(
      category: .status, totalLength: 0x1234, groupTag: 0xa1a2_a3a4_a5a6_a7a8,
      sender: Samples.peer, incarnation: Samples.incarnation, sequence: 0x0102_0304_0506_0708)
    let bytes = Hex.bytes(
      """
      01 15 00 1234 a1a2a3a4a5a6a7a8 00112233445566778899aabbccddeeff 00000007 decade00
      0102030405060708
      """)
    #expect(bytes.count == WireHeader.length)
    #expect(Hex.text(header.bytes) == Hex.text(bytes))
    let read = try WireHeader(reading: bytes[...])
    #expect(read == header)
  }

  @Test("of the categories")
  func categories() {
    let numbers = WireHeader.Category.allCases.map(\.rawValue)
    #expect(numbers == [1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22])
  }

  @Test("of a whole sealed datagram")
  func sealed() throws {
    var generator = SecureGenerator(simulationSeed: 7)
    var sealer = DatagramSealer(
      cipher: .sealed(Samples.keys()), sender: Samples.peer, incarnation: Samples.incarnation)
    let datagram = sealer.seal(.challenge(Samples.nonce), generator: &generator)
    let expected = Hex.bytes(
      """
      01 05 00 0065 90c04228455b6e36 00112233445566778899aabbccddeeff 00000007 decade00
      0000000000000001 b63d507d6e409ca61d9ca74798395d58af7553b87218833b
      d0ae8ca790b0a894ef590e47060c109a 5162a1570b91d70b53409478c97ab005
      """)
    #expect(Hex.text(datagram) == Hex.text(expected))
  }

  @Test("probe and reply are of one length, whatever they hold")
  func equalSize() {
    var generator = SecureGenerator(simulationSeed: 7)
    var sealer = DatagramSealer(
      cipher: .sealed(Samples.keys()), sender: Samples.peer, incarnation: Samples.incarnation)
    let bare = Message.probeReply(
      ProbeReply(
        id: 0, echoedTransmit: HostInstant(nanoseconds: 0), receive: HostInstant(nanoseconds: 0),
        receiveKind: .userSpace, transmit: HostInstant(nanoseconds: 0), stamps: [], term: nil,
        map: nil))
    for message in [Samples.probe, Samples.probeReply, bare] {
      #expect(sealer.seal(message, generator: &generator).count == 293)
    }
  }
}
