import Sealing
import TestLanes
import Testing
import Units

@testable import PeerCore

/// Both ends of a connection; bytes go from one to the other by hand.
struct LinkPair {
  var dialler: ReliableLink
  var listener: ReliableLink
  var generator = SecureGenerator(simulationSeed: 3)

  init(
    dialling: Cipher = .sealed(Samples.keys()), listening: Cipher = .sealed(Samples.keys()),
    diallerPeer: PeerID = Samples.peer
  ) {
    dialler = ReliableLink(
      role: .dialler, cipher: dialling, me: diallerPeer, incarnation: Samples.incarnation)
    listener = ReliableLink(
      role: .listener, cipher: listening, me: Samples.other,
      incarnation: Samples.otherIncarnation)
  }

  mutating func start() -> [UInt8] { dialler.start(generator: &generator) }

  mutating func atListener(_ bytes: [UInt8]) throws(WireRefusal) -> [ReliableLink.Event] {
    try listener.receive(bytes, generator: &generator)
  }

  mutating func atDialler(_ bytes: [UInt8]) throws(WireRefusal) -> [ReliableLink.Event] {
    try dialler.receive(bytes, generator: &generator)
  }

  mutating func send(_ message: Message) throws -> [UInt8] {
    let bytes = dialler.send(message, generator: &generator)
    return try #require(bytes)
  }

  /// Brings both ends to where messages may be sent.
  mutating func open() throws {
    let welcome = Self.written(try atListener(start()))
    let ready = Self.written(try atDialler(welcome))
    _ = try atListener(ready)
  }

  static func written(_ events: [ReliableLink.Event]) -> [UInt8] {
    events.flatMap { event -> [UInt8] in if case .write(let bytes) = event { bytes } else { [] } }
  }

  static func messages(_ events: [ReliableLink.Event]) -> [Message] {
    events.compactMap { if case .message(let message) = $0 { message } else { nil } }
  }
}

@Suite("A reliable link", .computing)
struct ReliableLinkTests {
  static let reliable: [Message] = [
    Samples.start, Samples.everlasting, .acknowledgement(Samples.command), Samples.status,
    .statusRequest(knownGeneration: 3),
  ]

  @Test("opens in three steps, and each end learns who the other is")
  func handshake() throws {
    var pair = LinkPair()
    let first = try pair.atListener(pair.start())
    #expect(first.count == 1)
    #expect(!pair.listener.isOpen)
    let second = try pair.atDialler(LinkPair.written(first))
    #expect(
      second.last == .ready(peer: Samples.other, incarnation: Samples.otherIncarnation))
    #expect(pair.dialler.isOpen)
    let third = try pair.atListener(LinkPair.written(second))
    #expect(third == [.ready(peer: Samples.peer, incarnation: Samples.incarnation)])
    #expect(pair.listener.isOpen)
    #expect(pair.listener.peer == Samples.peer)
    #expect(pair.dialler.peer == Samples.other)
  }

  @Test("carries messages both ways, in order", arguments: [true, false])
  func messages(sealed: Bool) throws {
    let cipher: Cipher = sealed ? .sealed(Samples.keys()) : .clear(tag: 4)
    var pair = LinkPair(dialling: cipher, listening: cipher)
    try pair.open()
    var there: [UInt8] = []
    var back: [UInt8] = []
    for message in Self.reliable {
      there += try pair.send(message)
      let answer = pair.listener.send(message, generator: &pair.generator)
      back += try #require(answer)
    }
    let heardThere = LinkPair.messages(try pair.atListener(there))
    let heardBack = LinkPair.messages(try pair.atDialler(back))
    #expect(heardThere == Self.reliable)
    #expect(heardBack == Self.reliable)
  }

  @Test("takes bytes in any portions", arguments: [1, 7, 85, 1000])
  func portions(size: Int) throws {
    var pair = LinkPair()
    try pair.open()
    var bytes: [UInt8] = []
    for message in Self.reliable { bytes += try pair.send(message) }
    var got: [Message] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let portion = Array(bytes[start..<min(start + size, bytes.count)])
      got += LinkPair.messages(try pair.atListener(portion))
    }
    #expect(got == Self.reliable)
  }

  @Test("sends nothing before it is open")
  func early() {
    var pair = LinkPair()
    let dialled = pair.dialler.send(Samples.start, generator: &pair.generator)
    let listened = pair.listener.send(Samples.start, generator: &pair.generator)
    #expect(dialled == nil)
    #expect(listened == nil)
  }

  @Test("refuses another passphrase at the first frame")
  func otherPassphrase() throws {
    let theirs = try GroupKeys(group: "stage", passphrase: "stage right")
    let ours = try GroupKeys(group: "stage", passphrase: "stage left")
    var pair = LinkPair(dialling: .sealed(theirs), listening: .sealed(ours))
    let hello = pair.start()
    #expect(throws: WireRefusal.wrongKeyOrForged) { try pair.atListener(hello) }
  }

  @Test("refuses another group by its tag")
  func otherGroup() {
    var pair = LinkPair(dialling: .sealed(Samples.keys(1)))
    let hello = pair.start()
    #expect(throws: WireRefusal.otherGroup) { try pair.atListener(hello) }
  }

  @Test("does not open for a recorded connection: its dialler has no answer to a new nonce")
  func replayedConnection() throws {
    var recorded = LinkPair()
    let hello = recorded.start()
    let welcome = LinkPair.written(try recorded.atListener(hello))
    let ready = LinkPair.written(try recorded.atDialler(welcome))

    var victim = LinkPair()
    victim.generator = SecureGenerator(simulationSeed: 99)
    _ = try victim.atListener(hello)
    #expect(throws: WireRefusal.wrongKeyOrForged) { try victim.atListener(ready) }
    #expect(!victim.listener.isOpen)
  }

  @Test("a dialler does not take a welcome that was meant for another hello")
  func replayedWelcome() throws {
    var recorded = LinkPair()
    let welcome = LinkPair.written(try recorded.atListener(recorded.start()))
    var victim = LinkPair()
    victim.generator = SecureGenerator(simulationSeed: 99)
    _ = victim.start()
    #expect(throws: WireRefusal.replayed) { try victim.atDialler(welcome) }
  }

  @Test("a frame doubled, left out or moved breaks it, for good", arguments: ["aa", "b", "ba"])
  func order(frames: String) throws {
    var pair = LinkPair()
    try pair.open()
    let sent: [Character: [UInt8]] = [
      "a": try pair.send(Samples.start), "b": try pair.send(Samples.status),
    ]
    let bytes = frames.flatMap { sent[$0] ?? [] }
    #expect(throws: WireRefusal.replayed) { try pair.atListener(bytes) }
    #expect(!pair.listener.isOpen)
    #expect(throws: WireRefusal.self) { try pair.atListener(sent["a"] ?? []) }
    let answer = pair.listener.send(Samples.start, generator: &pair.generator)
    #expect(answer == nil)
  }

  @Test("its own frame, sent back to it, is refused")
  func reflected() throws {
    var pair = LinkPair()
    try pair.open()
    let start = try pair.send(Samples.start)
    let padding = try pair.send(Samples.status)
    // The third frame of the dialler is expected as the second of the listener.
    #expect(throws: WireRefusal.self) { try pair.atDialler(start) }
    #expect(throws: WireRefusal.self) { try pair.atDialler(padding) }
    var alone = LinkPair(diallerPeer: Samples.other)
    let hello = alone.start()
    #expect(throws: WireRefusal.own) { try alone.atListener(hello) }
  }

  @Test("a message before the handshake, a handshake after it, a datagram: unexpected")
  func unexpected() throws {
    var pair = LinkPair()
    try pair.open()
    let hello = try pair.send(.hello(Samples.nonce))
    #expect(throws: WireRefusal.unexpected) { try pair.atListener(hello) }

    var second = LinkPair()
    var datagram = second.start()
    datagram[1] = WireHeader.Category.beacon.rawValue
    #expect(throws: WireRefusal.unexpected) { try second.atListener(datagram) }
  }

  @Test("whoever has not shown the key gets no room: 117 bytes a frame, and not one more")
  func handshakeRoom() throws {
    var pair = LinkPair()
    var hello = Array(pair.start().prefix(WireHeader.length))
    hello[4] = 117
    let events = try pair.atListener(hello)
    #expect(events == [])
    var second = LinkPair()
    hello[4] = 118
    #expect(throws: WireRefusal.tooLong) { try second.atListener(hello) }
    var third = LinkPair()
    hello[4] = 84
    #expect(throws: WireRefusal.tooShort) { try third.atListener(hello) }
  }

  @Test("carries the largest command there is")
  func largest() throws {
    var pair = LinkPair()
    try pair.open()
    let message = Message.command(
      CommandMessage(
        id: Samples.command, type: String(repeating: "t", count: CommandMessage.longestType),
        payload: [UInt8](repeating: 7, count: CommandMessage.longestPayload),
        expires: .sessionStart))
    let heard = LinkPair.messages(try pair.atListener(pair.send(message)))
    #expect(heard == [message])
  }

  @Test("stands random and mutated bytes at every stage", arguments: [1, 2, 3] as [UInt64])
  func fuzz(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var opened = LinkPair()
    try opened.open()
    let message = try opened.send(Samples.status)
    let hello = LinkPair().fresh()
    var refused = 0
    for round in 0..<1500 {
      var pair = round % 2 == 0 ? opened : LinkPair()
      let right = round % 2 == 0 ? message : hello
      let bytes =
        round % 3 == 0
        ? FuzzTests.bytes(Int.random(in: 0...400, using: &generator), using: &generator)
        : FuzzTests.mutate(right, using: &generator)
      do {
        _ = try pair.atListener(bytes)
      } catch {
        refused += 1
        #expect(!pair.listener.isOpen, "seed \(seed)")
      }
    }
    // Some mutations only make a frame longer, and the link waits for the rest of it.
    #expect(refused > 1200, "seed \(seed): \(refused)")
  }
}

extension LinkPair {
  /// The first bytes of a new connection.
  func fresh() -> [UInt8] {
    var copy = self
    return copy.start()
  }
}
