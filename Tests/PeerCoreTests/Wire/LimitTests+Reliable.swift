import Testing
import Units

@testable import PeerCore

extension LimitTests {
  /// Where the sample heartbeat's session begins: behind the term and two flags.
  static let sessionStart = 27

  @Test("a term's counter up to 2^62")
  func term() throws {
    var payload = Samples.heartbeat.payload
    Self.put(1 << 62, into: &payload, at: 1)
    _ = try Message(.heartbeat, payload: payload[...])
    Self.put((1 << 62) + 1, into: &payload, at: 1)
    Self.expectRefusal(.heartbeat, payload, field: "term")
    Self.put(-1, into: &payload, at: 1)
    Self.expectRefusal(.heartbeat, payload, field: "term")
  }

  @Test(
    "a session's fields",
    arguments: [
      (16, 1 << 60, (1 << 60) + 1, "anchor"), (16, -1 << 60, (-1 << 60) - 1, "anchor"),
      (24, 1 << 62, (1 << 62) + 1, "civil time"), (24, 0, -1, "civil time"),
      (32, 1 << 60, (1 << 60) + 1, "anchor error"), (32, 0, -1, "anchor error"),
    ] as [(Int, Int64, Int64, String)])
  func session(offset: Int, fits: Int64, beyond: Int64, field: String) throws {
    var payload = Samples.heartbeat.payload
    Self.put(fits, into: &payload, at: Self.sessionStart + offset)
    _ = try Message(.heartbeat, payload: payload[...])
    Self.put(beyond, into: &payload, at: Self.sessionStart + offset)
    Self.expectRefusal(.heartbeat, payload, field: field)
  }

  @Test("an offset from UTC within 18 hours", arguments: [1, -1] as [Int32])
  func offset(sign: Int32) throws {
    func heartbeat(_ seconds: Int32) -> [UInt8] {
      let session = Session(
        id: Samples.sessionID, anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0,
        utcOffsetSeconds: seconds)
      return Message.heartbeat(
        HeartbeatMessage(
          term: nil, hearsCoordinator: true, session: session, grade: .coarse, activity: .idle,
          hostCount: 1,
          rollingCount: 0,
          tenureSeconds: 0, statusGeneration: 0)
      ).payload
    }
    _ = try Message(.heartbeat, payload: heartbeat(sign * 64_800)[...])
    Self.expectRefusal(.heartbeat, heartbeat(sign * 64_801), field: "offset from UTC")
  }

  @Test("three takes, of names of 256 bytes, and instants within ±2^60 ns")
  func takes() throws {
    func heartbeat(_ takes: [UInt8]) -> [UInt8] {
      Samples.loneHeartbeat.payload.dropLast() + takes
    }
    func take(name: Int, t0: Int64 = 0, t1: Int64? = nil) -> [UInt8] {
      var bytes =
        [UInt8](repeating: 1, count: 36) + Self.counted(name) + .init(repeating: 0, count: 9)
      Self.put(t0, into: &bytes, at: bytes.count - 9)
      guard let t1 else { return bytes }
      bytes[bytes.count - 1] = 1
      bytes += .init(repeating: 0, count: 8)
      Self.put(t1, into: &bytes, at: bytes.count - 8)
      return bytes
    }
    let full = [3] + take(name: 256, t1: 1 << 60) + take(name: 256, t0: 1 << 60) + take(name: 256)
    let read = try Message(.heartbeat, payload: heartbeat(full)[...])
    guard case .heartbeat(let message) = read else { return #expect(read == Samples.heartbeat) }
    #expect(message.takes.count == HeartbeatMessage.mostTakes)
    #expect(message.takes.allSatisfy { $0.name.utf8.count == TakeState.longestName })
    Self.expectRefusal(
      .heartbeat, heartbeat([4] + (0..<4).flatMap { _ in take(name: 0) }), field: "takes")
    Self.expectRefusal(.heartbeat, heartbeat([1] + take(name: 257)), field: "take's name")
    Self.expectRefusal(
      .heartbeat, heartbeat([1] + take(name: 0, t0: (1 << 60) + 1)), field: "T0")
    Self.expectRefusal(
      .heartbeat, heartbeat([1] + take(name: 0, t1: -(1 << 60) - 1)), field: "T1")
  }

  @Test("the longest heartbeat fits a datagram")
  func longestHeartbeat() {
    let take = TakeState(
      session: Samples.sessionID, id: TakeID(high: 1, low: 2), number: 1,
      name: String(repeating: "é", count: 200), t0: SharedInstant(nanoseconds: 0),
      t1: SharedInstant(nanoseconds: 1))
    let message = Message.heartbeat(
      HeartbeatMessage(
        term: Samples.term, hearsCoordinator: true, session: Samples.session, grade: .good,
        activity: .rolling,
        hostCount: 1, rollingCount: 1, tenureSeconds: 0, statusGeneration: 0,
        takes: Array(repeating: take, count: 4)))
    #expect(message.payload.count == 107 + 3 * 311)
    #expect(message.payload.count + FrameCodec.overhead <= FrameCodec.longestDatagram)
  }

  @Test("a flag is 0 or 1, an activity and a kind one of three, a grade one of four")
  func enumerations() {
    var heartbeat = Samples.loneHeartbeat.payload
    heartbeat[0] = 2
    Self.expectRefusal(.heartbeat, heartbeat, field: "term")
    heartbeat[0] = 0
    heartbeat[4] = 3
    Self.expectRefusal(.heartbeat, heartbeat, field: "activity")
    heartbeat[4] = 0
    heartbeat[3] = 4
    Self.expectRefusal(.heartbeat, heartbeat, field: "grade")
    var reply = Samples.probeReply.payload
    reply[20] = 3
    Self.expectRefusal(.probeReply, reply, field: "receive kind")
  }

  @Test("a command of 64 bytes of type and 60 KiB of payload")
  func command() throws {
    func payload(type: Int, payload: Int) -> [UInt8] {
      [UInt8](repeating: 1, count: 16) + Self.counted(type) + [0] + Self.counted(payload)
    }
    let fits = try Message(.command, payload: payload(type: 64, payload: 61_440)[...])
    #expect(fits.payload.count + FrameCodec.overhead <= FrameCodec.longestFrame)
    Self.expectRefusal(.command, payload(type: 65, payload: 0), field: "type")
    Self.expectRefusal(.command, payload(type: 0, payload: 61_441), field: "payload")
  }

  @Test("a status of 64 keys, of 64 bytes, and values of 16 KiB")
  func status() throws {
    func entry(key: Int, value: Int) -> [UInt8] {
      Self.counted(key) + [UInt8](repeating: 0, count: 8) + [1] + Self.counted(value)
    }
    func status(_ entries: [[UInt8]]) -> [UInt8] {
      [UInt8](repeating: 0, count: 9) + [UInt8(entries.count)] + entries.joined()
    }
    let small = entry(key: 1, value: 0)
    _ = try Message(.status, payload: status(Array(repeating: small, count: 64))[...])
    Self.expectRefusal(.status, status(Array(repeating: small, count: 65)), field: "entries")
    _ = try Message(.status, payload: status([entry(key: 64, value: 16_384)])[...])
    Self.expectRefusal(.status, status([entry(key: 65, value: 0)]), field: "key")
    Self.expectRefusal(.status, status([entry(key: 1, value: 16_385)]), field: "value")
  }

  @Test("no message may be cut short anywhere, nor be followed by a byte", arguments: Samples.all)
  func exactLength(message: Message) throws {
    let payload = message.payload
    for length in 0..<payload.count {
      #expect(throws: WireRefusal.self, "\(length) of \(payload.count) bytes") {
        try Message(message.category, payload: payload.prefix(length))
      }
    }
    Self.expectRefusal(message.category, payload + [0], field: "length")
  }
}
