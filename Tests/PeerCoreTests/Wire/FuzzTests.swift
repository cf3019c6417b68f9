import Sealing
import TestLanes
import Testing
import Units

@testable import PeerCore

/// Whatever bytes come, a decoder gives a message or a typed refusal, never a crash; and what it
/// gives, it would write down as it was. Each failure names its seed.
@Suite("Decoders under random bytes", .computing)
struct FuzzTests {
  static let seeds: [UInt64] = [1, 2, 3, 4]

  @Test("payloads of random bytes, of every category", arguments: seeds)
  func randomPayloads(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for category in WireHeader.Category.allCases {
      for _ in 0..<200 {
        let length = Int.random(in: 0...300, using: &generator)
        let bytes = Self.bytes(length, using: &generator)
        Self.check(category, bytes, "seed \(seed)")
      }
    }
  }

  @Test("payloads that were right but for some bytes", arguments: seeds)
  func mutatedPayloads(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var accepted = 0
    for message in Samples.all {
      let payload = message.payload
      for _ in 0..<200 {
        let bytes = Self.mutate(payload, using: &generator)
        if Self.check(message.category, bytes, "seed \(seed)") { accepted += 1 }
      }
    }
    // Else the mutations were so coarse that nothing behind the first check was reached.
    #expect(accepted > 200, "seed \(seed)")
  }

  @Test("what is taken in can be reckoned with, whatever it says", arguments: seeds)
  func arithmetic(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let now = HostInstant(nanoseconds: 5_000_000_000)
    for _ in 0..<2000 {
      let reply = Self.mutate(Samples.probeReply.payload, using: &generator)
      if case .probeReply(let reply)? = try? Message(.probeReply, payload: reply[...]) {
        if let map = reply.map {
          let shared = map.shared(at: now)
          #expect(map.host(at: shared).nanoseconds.magnitude <= 1 << 62, "seed \(seed)")
          #expect(map.boundNanoseconds(at: reply.receive) >= 0, "seed \(seed)")
        }
        let exchange = SyncExchange(
          t1: reply.echoedTransmit, t2: reply.receive, t3: reply.transmit, t4: now,
          receiveKind: .kernel, transmitKind: .kernel)
        #expect(exchange.roundTripNanoseconds.magnitude < 1 << 62, "seed \(seed)")
      }
      let heartbeat = Self.mutate(Samples.heartbeat.payload, using: &generator)
      if case .heartbeat(let heartbeat)? = try? Message(.heartbeat, payload: heartbeat[...]),
        let session = heartbeat.session
      {
        let civil = session.unixNanoseconds(at: .sessionStart)
        #expect(session.instant(atUnixNanoseconds: civil) == .sessionStart, "seed \(seed)")
      }
    }
  }

  @Test("whole datagrams, random and mutated", arguments: seeds)
  func datagrams(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var pair = DatagramPair()
    try pair.prove()
    var counts = RefusalCounts()
    for round in 0..<2000 {
      let length = Int.random(in: 0...1300, using: &generator)
      let right = pair.seal(Samples.probe)
      let bytes =
        round % 2 == 0
        ? Self.bytes(length, using: &generator) : Self.mutate(right, using: &generator)
      let refusal = pair.refusal(of: bytes)
      // Three mutations in a row may undo one another.
      if bytes != right { #expect(refusal != nil, "seed \(seed): a forgery was let through") }
      if let refusal { counts.count(refusal) }
    }
    #expect(counts[.wrongKeyOrForged] > 250, "seed \(seed)")
  }

  /// In a simulation's cipher nothing holds forgeries back from the decoders.
  @Test("whole datagrams without a seal", arguments: seeds)
  func clearDatagrams(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var pair = DatagramPair(sealing: .clear(tag: 1), opening: .clear(tag: 1))
    try pair.prove()
    var opened = 0
    for round in 0..<2000 {
      let message = Samples.all[round % 7]
      let bytes = Self.mutate(pair.seal(message), using: &generator)
      if pair.refusal(of: bytes) == nil { opened += 1 }
    }
    #expect(opened > 50, "seed \(seed)")
  }

  /// Whether the payload was taken; if so, it must survive being written and read again.
  @discardableResult
  static func check(
    _ category: WireHeader.Category, _ payload: [UInt8], _ comment: Comment
  ) -> Bool {
    guard let message = try? Message(category, payload: payload[...]) else { return false }
    let again = try? Message(category, payload: message.payload[...])
    #expect(again == message, comment)
    #expect(message.payload.count == payload.count, comment)
    return true
  }

  static func bytes(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 40) }
  }

  /// Flips, sets, removes, adds or doubles a few bytes.
  static func mutate(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      guard let place = bytes.indices.randomElement(using: &generator) else {
        return Self.bytes(3, using: &generator)
      }
      switch generator.next() % 8 {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: place)
      case 2: bytes.insert(contentsOf: bytes.prefix(place), at: place)
      case 3: bytes[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &generator) ?? 0
      default: bytes[place] ^= 1 << UInt8(generator.next() % 8)
      }
    }
    return bytes
  }
}
