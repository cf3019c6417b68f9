import Sealing
import TestLanes
import Testing
import Units

@testable import PeerCore

@Suite("What was heard before has no effect", .computing)
struct ReplayTests {
  @Test("a datagram played again is refused, in any order of arrival")
  func again() throws {
    var pair = DatagramPair()
    try pair.prove()
    let datagrams = (0..<5).map { _ in pair.seal(Samples.heartbeat) }
    for place in [2, 0, 4, 1, 3] { #expect(pair.refusal(of: datagrams[place]) == nil) }
    for datagram in datagrams { #expect(pair.refusal(of: datagram) == .replayed) }
  }

  @Test("a late one counts if it is less than 1024 behind, and not beyond")
  func window() throws {
    var window = ReplayWindow(after: 0)
    window.note(5000)
    #expect(window.accepts(5000 - 1023))
    #expect(!window.accepts(5000 - 1024))
    #expect(!window.accepts(5000))
    #expect(window.accepts(5001))
  }

  @Test("the window agrees with a set of all numbers, over a random walk with jumps")
  func walk() {
    let seed: UInt64 = 11
    var generator = SeededGenerator(seed: seed)
    var window = ReplayWindow(after: 100)
    var seen = Set<UInt64>(0...100)
    var newest: UInt64 = 100
    for _ in 0..<20_000 {
      let reach: UInt64 = generator.next() % 50 == 0 ? 5000 : 40
      let sequence = newest + reach - min(generator.next() % (reach + 1200), newest + reach)
      let expected = !seen.contains(sequence) && (sequence > newest || newest - sequence < 1024)
      guard window.accepts(sequence) == expected else {
        Issue.record("seed \(seed): number \(sequence) after \(newest), expected \(expected)")
        return
      }
      if expected {
        window.note(sequence)
        seen.insert(sequence)
        newest = max(newest, sequence)
      }
    }
    #expect(newest > 5000)
  }

  @Test("the last number there is does not end the world")
  func last() {
    var window = ReplayWindow(after: 0)
    window.note(.max)
    #expect(!window.accepts(.max))
    #expect(window.accepts(.max - 1))
    #expect(!window.accepts(0))
  }

  @Test("a beacon of before the proof, recorded and unheard, has no effect after it")
  func beforeProof() throws {
    var pair = DatagramPair()
    let recorded = pair.seal(Samples.heartbeat)
    try pair.prove()
    #expect(pair.refusal(of: recorded) == .replayed)
    #expect(pair.refusal(of: pair.seal(Samples.heartbeat)) == nil)
  }
}

@Suite("A run of a peer has no effect until it has proved that it lives", .computing)
struct ProofTests {
  @Test("only beacons, challenges and echoes are let through before, marked as unproven")
  func unproven() throws {
    var pair = DatagramPair()
    for message in Samples.all where message.category.isDatagram {
      let datagram = pair.seal(message)
      switch message.category {
      case .beacon, .challenge, .challengeEcho:
        let opened = try pair.opener.open(datagram)
        #expect(!opened.isProven)
      default:
        #expect(pair.refusal(of: datagram) == .unproven, "\(message.category)")
      }
    }
  }

  @Test("a new run voids the one before")
  func newRun() throws {
    var pair = DatagramPair()
    try pair.prove()
    let old = pair.seal(Samples.heartbeat)
    let next = Incarnation(count: 2, nonce: 9)
    #expect(pair.opener.isProven(Samples.other, incarnation: Samples.otherIncarnation))
    pair.sealer = DatagramSealer(
      cipher: .sealed(Samples.keys()), sender: Samples.other, incarnation: next)
    #expect(pair.refusal(of: pair.seal(Samples.heartbeat)) == .unproven)
    try pair.prove()
    #expect(pair.opener.isProven(Samples.other, incarnation: next))
    #expect(pair.refusal(of: pair.seal(Samples.heartbeat)) == nil)
    #expect(pair.refusal(of: old) == .unproven)
  }

  @Test("a second proof of the same run does not open the window again")
  func secondProof() throws {
    var pair = DatagramPair()
    let early = pair.seal(.challengeEcho(Samples.nonce))
    let echo = try pair.opener.open(early).header
    try pair.opener.prove(echo)
    let heartbeat = pair.seal(Samples.heartbeat)
    #expect(pair.refusal(of: heartbeat) == nil)
    try pair.opener.prove(echo)
    #expect(pair.refusal(of: heartbeat) == .replayed)
  }

  @Test("1024 peers are known, and one more is refused until another is forgotten")
  func table() throws {
    var opener = DatagramOpener(
      cipher: .clear(tag: 1), me: Samples.peer, incarnation: Samples.incarnation)
    func echo(_ number: Int) -> WireHeader {
      WireHeader(
        category: .challengeEcho, totalLength: 101, groupTag: 1,
        sender: PeerID(high: 9, low: UInt64(number)), incarnation: Samples.otherIncarnation,
        sequence: 1)
    }
    for number in 0..<DatagramOpener.mostPeers { try opener.prove(echo(number)) }
    #expect(throws: WireRefusal.tableFull) { try opener.prove(echo(1024)) }
    try opener.prove(echo(5))
    opener.forget(PeerID(high: 9, low: 5))
    #expect(
      !opener.isProven(PeerID(high: 9, low: 5), incarnation: Samples.otherIncarnation))
    try opener.prove(echo(1024))
  }
}
