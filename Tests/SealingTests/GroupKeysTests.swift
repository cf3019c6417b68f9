import Sealing
import TestLanes
import Testing

@Suite("The keys of a group", .computing)
struct GroupKeysTests {
  static let root = SecretKey(Array(0..<32)).known

  /// What each key makes of the same message, since keys do not show themselves.
  static func fingerprint(_ key: SecretKey) -> String {
    Hex.text(
      Seal.seal([], additional: [], nonce: [UInt8](repeating: 0, count: 24)[...], key: key))
  }

  /// The expected keys were computed by another program, with Python's BLAKE2b.
  @Test("follow from a random key: BLAKE2b of a purpose")
  func fromRoot() throws {
    let keys = GroupKeys(root: Self.root)
    #expect(keys.tag == 0x90c0_4228_455b_6e36)
    let datagram = try #require(
      SecretKey(Hex.bytes("fed5da6aabf91f57be9f6c8f826557ad3f3721038ee3801263e3dcab0f611330")))
    let connection = try #require(
      SecretKey(Hex.bytes("8f0968549d75577e818ddea20dae857c39b5baaf30ac49503226419ddfb3d2f2")))
    #expect(keys.datagram == datagram)
    #expect(keys.connection == connection)
  }

  /// The expected keys were computed by another program.
  @Test("follow from name and passphrase: argon2id, salted with the name")
  func fromPassphrase() throws {
    let keys = try GroupKeys(group: "Stage", passphrase: "größe der bühne")
    #expect(keys.tag == 0x926f_de7e_3f40_cd95)
    let datagram = try #require(
      SecretKey(Hex.bytes("03dfdbc5c262536bcc55f2bd4756d3f2dc0d9d973593c8f0ab8af61dd5830031")))
    let connection = try #require(
      SecretKey(Hex.bytes("8ee616668b2410e225a8a225a55dd95abf819a35012438379ffededea73c7353")))
    #expect(keys.datagram == datagram)
    #expect(keys.connection == connection)
  }

  @Test("share a tag and nothing else with those of another passphrase")
  func otherPassphrase() throws {
    let one = try GroupKeys(group: "Stage", passphrase: "a")
    let other = try GroupKeys(group: "Stage", passphrase: "b")
    #expect(one.tag == other.tag)
    #expect(one.datagram != other.datagram)
    #expect(one.connection != other.connection)
  }

  @Test("share nothing with those of another group of the same passphrase")
  func otherGroup() throws {
    let one = try GroupKeys(group: "Stage", passphrase: "a")
    let other = try GroupKeys(group: "stage", passphrase: "a")
    #expect(one.tag != other.tag)
    #expect(one.datagram != other.datagram)
  }

  @Test("come of an empty name and passphrase too")
  func empty() throws {
    let keys = try GroupKeys(group: "", passphrase: "")
    #expect(keys.datagram != keys.connection)
  }

  @Test("differ by purpose and by context")
  func subkeys() {
    let names = [
      Self.root.subkey(for: "link"), Self.root.subkey(for: "link", context: [0]),
      Self.root.subkey(for: "link", context: [0, 0]), Self.root.subkey(for: "links"), Self.root,
    ].map(Self.fingerprint)
    #expect(Set(names).count == names.count)
  }

  @Test("a key has 32 bytes", arguments: [0, 31, 33])
  func length(count: Int) {
    #expect(SecretKey([UInt8](repeating: 1, count: count)) == nil)
  }

  @Test("do not show themselves when they are printed")
  func silent() {
    var dumped = ""
    let keys = GroupKeys(root: Self.root)
    dump(keys, to: &dumped)
    dump(Self.root, to: &dumped)
    dump(SecureGenerator(seed: Array(0..<32)), to: &dumped)
    dumped += "\(keys) \(Self.root) \(String(reflecting: Self.root))"
    dumped += "\(SecureGenerator(seed: Array(100..<132)))"
    #expect(!dumped.contains("[0, 1, 2"), "\(dumped)")
    #expect(!dumped.contains("254, 213"), "\(dumped)")
    #expect(!dumped.contains("100, 101"), "\(dumped)")
  }
}
