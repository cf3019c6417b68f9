import Sealing
import TestLanes
import Testing

@Suite("A SHA-256 digest", .computing)
struct SHA256Tests {
  /// The examples of FIPS 180-4.
  static let examples = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]

  @Test("agrees with the standard's examples, in one piece and byte by byte", arguments: examples)
  func standard(text: String, digest: String) {
    let bytes = Array(text.utf8)
    var whole = SHA256()
    whole.update(bytes[...])
    #expect(whole.hexDigest() == digest)
    var pieces = SHA256()
    for place in bytes.indices { pieces.update(bytes[place...place]) }
    #expect(pieces.hexDigest() == digest)
  }

  @Test("may be read on the way")
  func onTheWay() {
    var digest = SHA256()
    digest.update([0x61][...])
    _ = digest.hexDigest()
    digest.update([0x62, 0x63][...])
    #expect(digest.hexDigest() == Self.examples[1].1)
  }
}
