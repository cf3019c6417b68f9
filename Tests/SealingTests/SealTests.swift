import Sealing
import TestLanes
import Testing

@Suite("Sealing a message", .computing)
struct SealTests {
  /// Appendix A.3.1 of draft-irtf-cfrg-xchacha-03.
  @Test("agrees with the draft's example")
  func draftExample() throws {
    let key = try #require(SecretKey(Array(0x80...0x9f)))
    let text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
      + "future, sunscreen would be it."
    let sealed = Seal.seal(
      Array(text.utf8), additional: Hex.bytes("50515253c0c1c2c3c4c5c6c7")[...],
      nonce: Array(0x40...0x57)[...], key: key)
    #expect(
      Hex.text(sealed) == """
        bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb\
        731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452\
        2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9\
        21f9664c97637da9768812f615c68b13b52e\
        c0875924c1c7987947deafd8780acf49
        """)
  }

  static let key = GroupKeys(root: SecretKey(Array(0..<32)).known).datagram
  static let nonce = [UInt8](repeating: 7, count: Seal.nonceLength)

  @Test("opens to what it was, also when it was nothing", arguments: [0, 1, 15, 16, 208, 65_000])
  func roundTrip(length: Int) {
    let plain = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    let sealed = Seal.seal(plain, additional: [1, 2][...], nonce: Self.nonce[...], key: Self.key)
    #expect(sealed.count == length + Seal.overhead)
    let opened = Seal.open(
      sealed[...], additional: [1, 2][...], nonce: Self.nonce[...], key: Self.key)
    #expect(opened == plain)
  }

  @Test("does not open when one bit of anything differs")
  func everyBit() throws {
    let additional: [UInt8] = [1, 2, 3]
    let sealed = Seal.seal(
      [9, 8, 7, 6], additional: additional[...], nonce: Self.nonce[...], key: Self.key)
    for bit in 0..<sealed.count * 8 {
      let forged = Self.flip(bit, in: sealed)
      let opened = Seal.open(
        forged[...], additional: additional[...], nonce: Self.nonce[...], key: Self.key)
      #expect(opened == nil, "bit \(bit) of the sealed bytes")
    }
    for bit in 0..<additional.count * 8 {
      let forged = Self.flip(bit, in: additional)
      let opened = Seal.open(
        sealed[...], additional: forged[...], nonce: Self.nonce[...], key: Self.key)
      #expect(opened == nil, "bit \(bit) of the additional bytes")
    }
    for bit in 0..<Self.nonce.count * 8 {
      let forged = Self.flip(bit, in: Self.nonce)
      let opened = Seal.open(
        sealed[...], additional: additional[...], nonce: forged[...], key: Self.key)
      #expect(opened == nil, "bit \(bit) of the nonce")
    }
  }

  @Test("does not open what is cut short, down to nothing")
  func cut() {
    let sealed = Seal.seal([1, 2, 3], additional: [], nonce: Self.nonce[...], key: Self.key)
    for length in 0..<sealed.count {
      let opened = Seal.open(
        sealed.prefix(length), additional: [], nonce: Self.nonce[...], key: Self.key)
      #expect(opened == nil, "\(length) bytes")
    }
    let short = Seal.open(
      sealed[...], additional: [], nonce: Self.nonce.dropLast(), key: Self.key)
    #expect(short == nil)
  }

  private static func flip(_ bit: Int, in bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << (bit % 8)
    return bytes
  }
}

extension SecretKey? {
  /// The key of 32 bytes that were written down in a test.
  var known: SecretKey {
    guard let self else { preconditionFailure("a key has 32 bytes") }
    return self
  }
}
