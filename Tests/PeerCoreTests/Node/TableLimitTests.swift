import PeerCore
import Sealing
import Simulation
import TestLanes
import Testing
import Units

@Suite("The limits of a node's tables", .computing)
struct TableLimitTests {
  /// Someone who answers challenges and nothing else.
  private struct Stranger {
    let peer: PeerID
    var sealer: DatagramSealer
    var generator: SecureGenerator

    init(number: UInt64) {
      peer = PeerID(high: 100 + number, low: number)
      let run = Incarnation(count: 1, nonce: UInt32(number))
      sealer = DatagramSealer(cipher: Fleet.clearCipher, sender: peer, incarnation: run)
      generator = SecureGenerator(simulationSeed: number)
    }

    mutating func says(_ message: Message) -> ReceivedDatagram {
      ReceivedDatagram(
        bytes: sealer.seal(message, generator: &generator),
        path: PathAddress(interface: 1, address: [10, 0, 0, 9], port: 9),
        stamp: HostInstant(nanoseconds: 0), stampKind: .userSpace)
    }
  }

  private func node(mostPeers: Int) -> PeerNode {
    let start = HostInstant(nanoseconds: 0)
    return PeerNode(
      configuration: PeerNodeConfiguration(
        peer: PeerID(high: 1, low: 1), incarnation: Incarnation(count: 1, nonce: 1), label: "a",
        software: "test", unicastPort: 1, reliablePort: 0, cipher: Fleet.clearCipher,
        wall: WallReading(unixNanoseconds: 0, host: start),
        policy: PeerNodePolicy(mostPeers: mostPeers, mostCandidates: 8)),
      generator: SecureGenerator(simulationSeed: 5), at: start)
  }

  /// Has `stranger` prove itself at `now`.
  private func introduce(
    _ stranger: inout Stranger, to node: inout PeerNode, at now: HostInstant
  ) -> [PeerAction] {
    let beacon = Beacon(unicastPort: 9, reliablePort: 0, label: "s", software: "s")
    let asked = node.receive(stranger.says(.beacon(beacon)), at: now)
    var opener = DatagramOpener(
      cipher: Fleet.clearCipher, me: stranger.peer, incarnation: Incarnation(count: 1, nonce: 0))
    for case .send(let bytes, _, _) in asked {
      guard let opened = try? opener.open(bytes), case .challenge(let nonce) = opened.message
      else { continue }
      return node.receive(stranger.says(.challengeEcho(nonce)), at: now)
    }
    return asked
  }

  @Test("peers: at the limit all are there, one beyond is refused; a lost one makes room")
  func peers() {
    var node = node(mostPeers: 3)
    let start = HostInstant(nanoseconds: 0)
    for number in 0..<3 {
      var stranger = Stranger(number: UInt64(number))
      _ = introduce(&stranger, to: &node, at: start)
    }
    #expect(node.peers.count == 3)
    var fourth = Stranger(number: 3)
    let refused = introduce(&fourth, to: &node, at: start)
    #expect(refused == [.note(.tableFull(fourth.peer))])
    #expect(node.peers.count == 3)
    #expect(node.refusals[.tableFull] == 1)
    _ = node.advance(to: start + .seconds(1.3))
    _ = node.advance(to: start + .seconds(4))
    _ = introduce(&fourth, to: &node, at: start + .seconds(4))
    #expect(node.peers.count == 3)
    #expect(node.peers.contains { $0.peer == fourth.peer })
  }

  @Test(
    "of 32 and fewer each is told at once of who is here; of more, 2 ms later for each beyond",
    arguments: [(32, 0), (33, 2), (50, 36)])
  func crowding(peers: Int, wait: Int) {
    var node = node(mostPeers: 64)
    let start = HostInstant(nanoseconds: 0)
    var strangers = (0..<peers).map { Stranger(number: UInt64($0)) }
    for place in strangers.indices.dropLast() {
      _ = introduce(&strangers[place], to: &node, at: start)
    }
    var (now, quiet) = (start, 0)
    while quiet < 250 {
      now = now + .milliseconds(1)
      quiet = multicasts(&node, at: now) ? 0 : quiet + 1
    }
    _ = introduce(&strangers[peers - 1], to: &node, at: now)
    let told = (0...200).first { multicasts(&node, at: now + .milliseconds($0)) }
    #expect(told == wait)
  }

  @Test(
    "of peers that fall silent 32 are asked a round, the others in the next", arguments: [32, 33])
  func asking(peers: Int) {
    var node = node(mostPeers: 64)
    let start = HostInstant(nanoseconds: 0)
    for number in 0..<peers {
      var stranger = Stranger(number: UInt64(number))
      _ = introduce(&stranger, to: &node, at: start)
    }
    var asked: [Int] = []
    for step in 0..<1500 {
      // A probe's category is 2.
      let probes = node.advance(to: start + .milliseconds(step)).count { action in
        if case .send(let bytes, _, _) = action { bytes[1] == 2 } else { false }
      }
      if probes > 0 { asked.append(probes) }
    }
    // From 1.2 s of silence on, each 150 ms.
    #expect(asked == [32, 32], "\(asked)")
  }

  /// Whether the node tells all of itself at `now`.
  private func multicasts(_ node: inout PeerNode, at now: HostInstant) -> Bool {
    node.advance(to: now).contains { action in
      if case .multicast = action { true } else { false }
    }
  }

  @Test("runs that are asked for a proof: no more than the limit, and not for ever")
  func candidates() {
    var proof = IncarnationProof(limit: 4)
    var generator = SeededGenerator(seed: 1)
    let start = HostInstant(nanoseconds: 0)
    let path = PathAddress(interface: 1, address: [10, 0, 0, 9], port: 9)
    func run(_ number: UInt64) -> PeerRun {
      PeerRun(
        peer: PeerID(high: number, low: 0), incarnation: Incarnation(count: 1, nonce: 1))
    }
    for number in 0..<4 {
      let challenge = proof.hint(
        run(UInt64(number)), path: path, generator: &generator, at: start)
      #expect(challenge != nil)
    }
    let beyond = proof.hint(run(4), path: path, generator: &generator, at: start)
    #expect(beyond == nil)
    #expect(proof.count == 4)
    var sent = 0
    var now = start
    while let next = proof.nextWakeup, sent < 1000 {
      now = max(next, now)
      sent += proof.advance(to: now).count
    }
    #expect(proof.count == 0)
    #expect(sent > 20 && sent < 80, "\(sent)")
    #expect(now == start + .seconds(6))
  }

  @Test("a proof counts once, for its own run, and within its time")
  func proofs() throws {
    var proof = IncarnationProof(limit: 4)
    var generator = SeededGenerator(seed: 1)
    let start = HostInstant(nanoseconds: 0)
    let path = PathAddress(interface: 1, address: [10, 0, 0, 9], port: 9)
    let peer = PeerID(high: 5, low: 5)
    let run = PeerRun(peer: peer, incarnation: Incarnation(count: 1, nonce: 1))
    let other = PeerRun(peer: peer, incarnation: Incarnation(count: 2, nonce: 2))
    let challenge = proof.hint(run, path: path, generator: &generator, at: start)
    let nonce = try #require(challenge?.nonce)
    let accepted = [
      proof.accepts(nonce, of: other, at: start),
      proof.accepts(nonce, of: run, at: start + .seconds(7)),
      proof.accepts(nonce, of: run, at: start + .seconds(5)),
      proof.accepts(nonce, of: run, at: start + .seconds(5)),
    ]
    #expect(accepted == [false, false, true, false])
  }

  @Test("a run that comes before the one it follows is silent is asked again then")
  func postponed() {
    var proof = IncarnationProof(limit: 4)
    var generator = SeededGenerator(seed: 1)
    let start = HostInstant(nanoseconds: 0)
    let end = start + .milliseconds(1200)
    let path = PathAddress(interface: 1, address: [10, 0, 0, 9], port: 9)
    let run = PeerRun(
      peer: PeerID(high: 5, low: 5), incarnation: Incarnation(count: 2, nonce: 2))
    proof.postpone(run, path: path, saying: nil, until: end, generator: &generator)
    #expect(proof.nextWakeup == end)
    let early = proof.advance(to: end - .milliseconds(1))
    let due = proof.advance(to: end)
    #expect(early.isEmpty)
    #expect(due.count == 1)
  }

  @Test("a run that was put off is asked at once when the one before has lost its link")
  func hastened() {
    var proof = IncarnationProof(limit: 4)
    var generator = SeededGenerator(seed: 1)
    let start = HostInstant(nanoseconds: 0)
    let path = PathAddress(interface: 1, address: [10, 0, 0, 9], port: 9)
    let (peer, other) = (PeerID(high: 5, low: 5), PeerID(high: 6, low: 6))
    let run = PeerRun(peer: peer, incarnation: Incarnation(count: 2, nonce: 2))
    proof.postpone(
      run, path: path, saying: nil, until: start + .seconds(1), generator: &generator)
    proof.hasten(other, at: start + .milliseconds(5))
    let ofAnother = proof.advance(to: start + .milliseconds(5))
    proof.hasten(peer, at: start + .milliseconds(10))
    #expect(proof.nextWakeup == start + .milliseconds(10))
    let due = proof.advance(to: start + .milliseconds(10))
    // It is asked again as anybody is, and once only for the haste.
    proof.hasten(peer, at: start + .milliseconds(11))
    let again = proof.advance(to: start + .milliseconds(11))
    #expect(ofAnother.isEmpty)
    #expect(due.count == 1)
    #expect(again.isEmpty)
  }

  @Test("garbage of any kind is counted, and harms nothing")
  func garbage() {
    var node = node(mostPeers: 3)
    var generator = SeededGenerator(seed: 99)
    let now = HostInstant(nanoseconds: 0)
    for _ in 0..<2000 {
      let length = Int(generator.next() % 1400)
      var bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      if length > 0, generator.next() % 2 == 0 { bytes[0] = 1 }
      let datagram = ReceivedDatagram(
        bytes: bytes, path: PathAddress(interface: 1, address: [1, 2, 3, 4], port: 5), stamp: now,
        stampKind: .kernel)
      let actions = node.receive(datagram, at: now)
      #expect(actions.isEmpty)
    }
    #expect(node.refusals.byReason.values.reduce(0, +) == 2000)
    #expect(node.peers.isEmpty)
  }
}
