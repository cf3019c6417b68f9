import Sealing
import Units

@testable import PeerCore

/// One message of each kind, every field filled, and the identities around them.
enum Samples {
  static let peer = PeerID(high: 0x0011_2233_4455_6677, low: 0x8899_aabb_ccdd_eeff)
  static let other = PeerID(high: 0x2222, low: 0x3333)
  static let incarnation = Incarnation(count: 7, nonce: 0xdeca_de00)
  static let otherIncarnation = Incarnation(count: 1, nonce: 0x5151)
  static let sessionID = SessionID(high: 0x5e55_1011_1213_1415, low: 0x1617_1819_1a1b_1c1d)
  static let nonce = ChallengeNonce(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)
  static let listenerNonce = ChallengeNonce(
    high: 0xf1f2_f3f4_f5f6_f7f8, low: 0xf9fa_fbfc_fdfe_ff00)
  static let term = Term(counter: 3, peer: peer)
  static let command = CommandID(incarnation: incarnation, sequence: 42)

  /// Keys without the cost of stretching a passphrase; other roots are other passphrases of the
  /// same strength but of another tag.
  static func keys(_ root: UInt8 = 0) -> GroupKeys {
    guard let key = SecretKey((0..<32).map { $0 &+ root }) else {
      preconditionFailure("a key has 32 bytes")
    }
    return GroupKeys(root: key)
  }

  static let session = Session(
    id: sessionID, anchorUnixNanoseconds: 1_760_000_000_000_000_000,
    anchorErrorNanoseconds: 20_000_000, utcOffsetSeconds: -12_600,
    previous: SessionID(high: 0x0ddb_a110_0000_0000, low: 9))

  static let map = ClockMap(
    session: sessionID, generation: 9, hostAnchor: HostInstant(nanoseconds: 1_000_000_007),
    sharedAnchor: SharedInstant(nanoseconds: 86_400_000_000_123),
    skew: ClockRate(partsPerMillion: -37.5), jitterBoundNanoseconds: 1500,
    pathLimitNanoseconds: 400_000, boundGrowth: ClockRate(fraction: 1e-7))

  static let beacon = Message.beacon(
    Beacon(
      unicastPort: 40_001, reliablePort: 40_002, label: "stage left é", software: "recorder 0.1",
      activity: .armed, uptimeSeconds: 300))
  static let probe = Message.probe(
    Probe(id: 0x0102_0304, transmit: HostInstant(nanoseconds: -5)))
  static let probeReply = Message.probeReply(
    ProbeReply(
      id: 0x0102_0304, echoedTransmit: HostInstant(nanoseconds: -5),
      receive: HostInstant(nanoseconds: 1 << 60), receiveKind: .kernel,
      transmit: HostInstant(nanoseconds: 123_456_789_012_345),
      stamps: [
        ProbeReply.TransmitStamp(
          probe: 0x0102_0302, instant: HostInstant(nanoseconds: 111), kind: .kernel),
        ProbeReply.TransmitStamp(
          probe: 0x0102_0303, instant: HostInstant(nanoseconds: -222), kind: .scheduled),
      ], term: term, map: map))
  static let heartbeat = Message.heartbeat(
    HeartbeatMessage(
      term: term, hearsCoordinator: true, session: session, grade: .good, activity: .rolling,
      hostCount: 3,
      rollingCount: 2,
      tenureSeconds: 61, statusGeneration: 17,
      takes: [
        TakeState(
          session: sessionID, id: TakeID(high: 0x7a6b_0000_0000_0001, low: 2), number: 12,
          name: "scène", t0: SharedInstant(nanoseconds: 86_400_000_000_123),
          t1: SharedInstant(nanoseconds: 86_401_000_000_000)),
        TakeState(
          session: sessionID, id: TakeID(high: 3, low: 4), number: 0, name: "",
          t0: SharedInstant(nanoseconds: -1)),
      ]))
  static let loneHeartbeat = Message.heartbeat(
    HeartbeatMessage(
      term: nil, hearsCoordinator: false, session: nil, grade: .none, activity: .idle, hostCount: 1,
      rollingCount: 0, tenureSeconds: 0,
      statusGeneration: 0))
  static let introduction = Message.introduction(
    Introduction(peer: peer, address: [192, 168, 1, 20], port: 40_001))
  static let start = Message.command(
    CommandMessage(
      id: command, type: "recorder.start", payload: [1, 2, 255],
      expires: SharedInstant(nanoseconds: 86_401_000_000_000)))
  static let everlasting = Message.command(
    CommandMessage(id: command, type: "", payload: [], expires: nil))
  static let status = Message.status(
    StatusMessage(
      generation: 17,
      entries: [
        StatusMessage.Entry(key: "level", generation: 16, value: [0xca, 0xfe]),
        StatusMessage.Entry(key: "gone", generation: 17, value: nil),
      ]))

  static let all: [Message] = [
    beacon, probe, probeReply, heartbeat, loneHeartbeat, .challenge(nonce), .challengeEcho(nonce),
    introduction, .hello(nonce), .welcome(nonce: listenerNonce, echo: nonce), .ready, start,
    everlasting,
    .acknowledgement(command), status, .statusRequest(knownGeneration: 16),
  ]
}
