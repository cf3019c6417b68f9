import TestLanes
import Testing
import Units

@testable import PeerCore

/// Each field at its limit, and one beyond.
@Suite("The limits of messages", .computing)
struct LimitTests {
  static func expectRefusal(
    _ category: WireHeader.Category, _ payload: [UInt8], field: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: WireRefusal.malformed(field: field), sourceLocation: sourceLocation) {
      try Message(category, payload: payload[...])
    }
  }

  static func counted(_ count: Int) -> [UInt8] {
    [UInt8(count >> 8), UInt8(count & 255)] + [UInt8](repeating: 0x61, count: count)
  }

  @Test("a label of 64 bytes and a program's name of 32")
  func beacon() throws {
    let ports: [UInt8] = [0, 1, 0, 2]
    let rest: [UInt8] = [2, 0, 0, 0, 9]
    let fits = try Message(
      .beacon, payload: (ports + Self.counted(64) + Self.counted(32) + rest)[...])
    guard case .beacon(let beacon) = fits else { return #expect(fits == Samples.beacon) }
    #expect(beacon.label.utf8.count == 64)
    #expect(beacon.software.utf8.count == 32)
    Self.expectRefusal(.beacon, ports + Self.counted(65) + Self.counted(32), field: "label")
    Self.expectRefusal(.beacon, ports + Self.counted(64) + Self.counted(33), field: "software")
    let busier: [UInt8] = [3, 0, 0, 0, 9]
    Self.expectRefusal(
      .beacon, ports + Self.counted(64) + Self.counted(32) + busier, field: "activity")
  }

  @Test("a label that is too long is cut between characters, not within one")
  func cut() {
    let label = String(repeating: "é", count: 40)
    let beacon = Beacon(unicastPort: 0, reliablePort: 0, label: label, software: "")
    #expect(beacon.label == String(repeating: "é", count: 32))
    let odd = Beacon(unicastPort: 0, reliablePort: 0, label: "a" + label, software: "")
    #expect(odd.label.utf8.count == 63)
  }

  @Test("text that is not UTF-8 is refused", arguments: [[0xff], [0xc3], [0xed, 0xa0, 0x80]])
  func text(bytes: [UInt8]) {
    let payload = [0, 1, 0, 2, 0, UInt8(bytes.count)] + bytes + [0, 0]
    Self.expectRefusal(.beacon, payload, field: "label")
  }

  @Test("an introduction's address has 4 bytes or 16")
  func introduction() throws {
    let peer = [UInt8](repeating: 7, count: 16)
    for count in [4, 16] {
      _ = try Message(.introduction, payload: (peer + Self.counted(count) + [1, 2])[...])
    }
    for count in [0, 3, 5, 15, 17] {
      Self.expectRefusal(
        .introduction, peer + Self.counted(count) + [1, 2], field: "address")
    }
  }

  @Test("four transmit stamps")
  func stamps() throws {
    var payload = Samples.probeReply.payload
    payload[29] = 4
    let read = try Message(.probeReply, payload: payload[...])
    guard case .probeReply(let reply) = read else { return #expect(read == Samples.probeReply) }
    #expect(reply.stamps.count == ProbeReply.transmitStampSlots)
    payload[29] = 5
    Self.expectRefusal(.probeReply, payload, field: "stamps")
  }

  @Test("of more stamps the last four are sent")
  func lastStamps() {
    let stamps = (0..<6).map {
      ProbeReply.TransmitStamp(
        probe: $0, instant: HostInstant(nanoseconds: Int64($0)), kind: .kernel)
    }
    let reply = ProbeReply(
      id: 1, echoedTransmit: HostInstant(nanoseconds: 0), receive: HostInstant(nanoseconds: 0),
      receiveKind: .kernel, transmit: HostInstant(nanoseconds: 0), stamps: stamps, term: nil,
      map: nil)
    #expect(reply.stamps.map(\.probe) == [2, 3, 4, 5])
  }

  @Test("probe and reply are refused when a byte shorter or longer")
  func probeLength() {
    for message in [Samples.probe, Samples.probeReply] {
      Self.expectRefusal(message.category, message.payload.dropLast(), field: "length")
      Self.expectRefusal(message.category, message.payload + [0], field: "length")
    }
  }

  @Test("instants within ±2^60 ns", arguments: [1, -1])
  func instants(sign: Int64) throws {
    func probe(_ nanoseconds: Int64) -> [UInt8] {
      Message.probe(Probe(id: 1, transmit: HostInstant(nanoseconds: nanoseconds))).payload
    }
    _ = try Message(.probe, payload: probe(sign << 60)[...])
    Self.expectRefusal(.probe, probe((sign << 60) + sign), field: "transmit")
    Self.expectRefusal(.probe, probe(.min), field: "transmit")
  }

  /// The offsets of a map's fields in the sample reply: behind the term come a flag and the map.
  static let mapStart = 108

  @Test(
    "a map's fields",
    arguments: [
      (20, Int64(1) << 60, "map"), (28, Int64(1) << 60, "map"), (44, 1 << 60, "jitter bound"),
      (52, 1 << 60, "path limit"),
    ])
  func map(offset: Int, limit: Int64, field: String) throws {
    var payload = Samples.probeReply.payload
    Self.put(limit, into: &payload, at: Self.mapStart + offset)
    _ = try Message(.probeReply, payload: payload[...])
    Self.put(limit + 1, into: &payload, at: Self.mapStart + offset)
    Self.expectRefusal(.probeReply, payload, field: field)
  }

  @Test("bounds are not negative", arguments: [(44, "jitter bound"), (52, "path limit")])
  func negativeBounds(offset: Int, field: String) {
    var payload = Samples.probeReply.payload
    Self.put(-1, into: &payload, at: Self.mapStart + offset)
    Self.expectRefusal(.probeReply, payload, field: field)
  }

  @Test(
    "a skew within a thousandth, a growth of 0 to 1, and both finite",
    arguments: [
      (36, 1e-3, 1e-3.nextUp, "skew"), (36, -1e-3, -(1e-3.nextUp), "skew"),
      (36, 0, .nan, "skew"), (36, 0, .infinity, "skew"), (60, 1, 1.nextUp, "growth"),
      (60, 0, -Double.leastNonzeroMagnitude, "growth"), (60, 0, .nan, "growth"),
    ])
  func rates(offset: Int, fits: Double, beyond: Double, field: String) throws {
    var payload = Samples.probeReply.payload
    Self.put(Int64(bitPattern: fits.bitPattern), into: &payload, at: Self.mapStart + offset)
    _ = try Message(.probeReply, payload: payload[...])
    Self.put(Int64(bitPattern: beyond.bitPattern), into: &payload, at: Self.mapStart + offset)
    Self.expectRefusal(.probeReply, payload, field: field)
  }

  @Test("a map at all its limits can be applied to any instant that may arrive")
  func extremes() {
    for host in [-1, 1] as [Int64] {
      for shared in [-1, 1] as [Int64] {
        for skew in [-1e-3, 1e-3] {
          let map = ClockMap(
            session: Samples.sessionID, generation: 1,
            hostAnchor: HostInstant(nanoseconds: host << 60),
            sharedAnchor: SharedInstant(nanoseconds: shared << 60),
            skew: ClockRate(fraction: skew), jitterBoundNanoseconds: 1 << 60,
            pathLimitNanoseconds: 1 << 60, boundGrowth: ClockRate(fraction: 1))
          let far = HostInstant(nanoseconds: -host << 60)
          #expect(map.shared(at: far).nanoseconds.magnitude <= 1 << 62)
          #expect(map.boundNanoseconds(at: far) <= 1 << 62)
        }
      }
    }
  }

  static func put(_ value: Int64, into bytes: inout [UInt8], at offset: Int) {
    for place in 0..<8 {
      bytes[offset + place] = UInt8(truncatingIfNeeded: value >> (56 - 8 * place))
    }
  }
}
