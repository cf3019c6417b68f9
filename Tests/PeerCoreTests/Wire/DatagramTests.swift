import Sealing
import TestLanes
import Testing
import Units

@testable import PeerCore

/// Two peers of a group, and what passes between them.
struct DatagramPair {
  var sealer: DatagramSealer
  var opener: DatagramOpener
  var generator = SecureGenerator(simulationSeed: 7)

  init(
    sealing: Cipher = .sealed(Samples.keys()), opening: Cipher = .sealed(Samples.keys()),
    sender: PeerID = Samples.other, incarnation: Incarnation = Samples.otherIncarnation
  ) {
    sealer = DatagramSealer(cipher: sealing, sender: sender, incarnation: incarnation)
    opener = DatagramOpener(
      cipher: opening, me: Samples.peer, incarnation: Samples.incarnation)
  }

  mutating func seal(_ message: Message) -> [UInt8] {
    sealer.seal(message, generator: &generator)
  }

  /// Lets the sender's run prove that it lives.
  mutating func prove() throws {
    let echo = seal(.challengeEcho(Samples.nonce))
    try opener.prove(try opener.open(echo).header)
  }

  /// The reason for which `datagram` is refused, if it is.
  mutating func refusal(of datagram: [UInt8]) -> WireRefusal? {
    do {
      _ = try opener.open(datagram)
      return nil
    } catch {
      return error
    }
  }
}

@Suite("Opening datagrams", .computing)
struct DatagramTests {
  @Test("gives what was sealed, and by whom", arguments: [true, false])
  func roundTrip(sealed: Bool) throws {
    let cipher: Cipher = sealed ? .sealed(Samples.keys()) : .clear(tag: 5)
    var pair = DatagramPair(sealing: cipher, opening: cipher)
    try pair.prove()
    var sequence: UInt64 = 1
    for message in Samples.all where message.category.isDatagram {
      sequence += 1
      let opened = try pair.opener.open(pair.seal(message))
      #expect(opened.message == message)
      #expect(opened.isProven)
      #expect(opened.header.sender == Samples.other)
      #expect(opened.header.incarnation == Samples.otherIncarnation)
      #expect(opened.header.sequence == sequence)
    }
  }

  @Test("a simulation's datagrams are as long as sealed ones")
  func clearLength() {
    var sealed = DatagramPair()
    var clear = DatagramPair(sealing: .clear(tag: 1), opening: .clear(tag: 1))
    #expect(sealed.seal(Samples.beacon).count == clear.seal(Samples.beacon).count)
  }

  @Test("of another group: refused by the tag, whatever the key")
  func otherGroup() {
    var pair = DatagramPair(sealing: .sealed(Samples.keys(1)))
    #expect(pair.refusal(of: pair.seal(Samples.beacon)) == .otherGroup)
  }

  @Test("of our group by name but another passphrase: the key is wrong")
  func otherPassphrase() throws {
    let theirs = try GroupKeys(group: "stage", passphrase: "stage right")
    let ours = try GroupKeys(group: "stage", passphrase: "stage left")
    var pair = DatagramPair(sealing: .sealed(theirs), opening: .sealed(ours))
    #expect(pair.refusal(of: pair.seal(Samples.beacon)) == .wrongKeyOrForged)
  }

  @Test("our own, heard again, is refused; a twin's is let through as unproven")
  func own() throws {
    var pair = DatagramPair(sender: Samples.peer, incarnation: Samples.incarnation)
    #expect(pair.refusal(of: pair.seal(Samples.beacon)) == .own)
    var twin = DatagramPair(sender: Samples.peer)
    let opened = try twin.opener.open(twin.seal(Samples.beacon))
    #expect(!opened.isProven)
  }

  @Test("a flipped bit anywhere is refused, with a reason that fits its place")
  func everyBit() throws {
    var pair = DatagramPair()
    try pair.prove()
    let datagram = pair.seal(Samples.beacon)
    for place in datagram.indices {
      for bit in 0..<8 {
        var forged = datagram
        forged[place] ^= 1 << bit
        let answer = pair.refusal(of: forged)
        let refusal = try #require(answer, "byte \(place), bit \(bit)")
        let expected: Set<String> =
          switch place {
          case 0: ["unknown_version"]
          case 1: ["unknown_category", "unexpected", "wrong_key_or_forged"]
          case 3, 4: ["too_short", "too_long"]
          case 5...12: ["other_group"]
          case 37...44: ["wrong_key_or_forged", "replayed"]
          default: ["wrong_key_or_forged"]
          }
        #expect(expected.contains(refusal.word), "byte \(place), bit \(bit): \(refusal.word)")
      }
    }
    let opened = try pair.opener.open(datagram)
    #expect(opened.message == Samples.beacon, "forgeries use up no number")
  }

  @Test("is of 1200 bytes at most, of 45 at least, and as long as it says")
  func lengths() {
    var pair = DatagramPair()
    let datagram = pair.seal(Samples.beacon)
    #expect(pair.refusal(of: []) == .tooShort)
    #expect(pair.refusal(of: Array(datagram.prefix(44))) == .tooShort)
    #expect(pair.refusal(of: Array(datagram.prefix(45))) == .tooShort)
    #expect(pair.refusal(of: datagram.dropLast()) == .tooShort)
    #expect(pair.refusal(of: datagram + [0]) == .tooLong)
    let padding = [UInt8](repeating: 0, count: 1200 - datagram.count)
    var longest = datagram + padding
    longest[3] = UInt8(1200 >> 8)
    longest[4] = UInt8(1200 & 255)
    #expect(pair.refusal(of: longest) == .wrongKeyOrForged)
    #expect(pair.refusal(of: longest + [0]) == .tooLong)
  }

  @Test("a frame of a reliable link is not one of them")
  func frame() {
    var pair = DatagramPair()
    var datagram = pair.seal(Samples.beacon)
    datagram[1] = WireHeader.Category.hello.rawValue
    #expect(pair.refusal(of: datagram) == .unexpected)
  }

  @Test("a later version's and an unknown kind of datagram are told apart")
  func unknown() {
    var pair = DatagramPair()
    var datagram = pair.seal(Samples.beacon)
    datagram[1] = 250
    #expect(pair.refusal(of: datagram) == .unknownCategory(250))
    datagram[0] = 2
    #expect(pair.refusal(of: datagram) == .unknownVersion(2))
  }

  @Test("refusals are counted by reason, under words that stay")
  func counts() {
    var counts = RefusalCounts()
    let all: [WireRefusal] = [
      .tooShort, .tooLong, .unknownVersion(9), .unknownCategory(9), .otherGroup,
      .wrongKeyOrForged, .replayed, .unproven, .own, .malformed(field: "x"), .unexpected,
      .tableFull,
    ]
    for refusal in all { counts.count(refusal) }
    counts.count(.malformed(field: "y"))
    #expect(counts[.malformed(field: "z")] == 2)
    #expect(counts[.otherGroup] == 1)
    #expect(
      counts.byReason.keys.sorted() == [
        "malformed", "other_group", "own", "replayed", "table_full", "too_long", "too_short",
        "unexpected", "unknown_category", "unknown_version", "unproven", "wrong_key_or_forged",
      ])
  }
}
