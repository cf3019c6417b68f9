internal import CSodium

/// The keys of a group, made once from its name and passphrase.
public struct GroupKeys: Hashable, Sendable {
  /// The passphrase could not be stretched, for want of memory.
  public struct OutOfMemory: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String {
      "there is not enough free memory to derive the group's key (64 MiB are needed)"
    }
  }

  /// What marks the group's packets in clear: it tells one group from another, not who is in it.
  ///
  /// It follows from the group's name alone, so that a host with another passphrase for the same
  /// group is told apart from a host of another group.
  public let tag: UInt64
  /// Seals datagrams.
  public let datagram: SecretKey
  /// From which each connection derives a key of its own.
  public let connection: SecretKey

  /// Derives the keys from a name and a passphrase by argon2id.
  ///
  /// Takes some 70 ms and 64 MiB, on purpose: with libsodium's "interactive" costs (2 passes)
  /// guessing offline is slow. The salt is a digest of the group's name, so that hosts agree on
  /// it without a word.
  public init(group: String, passphrase: String) throws(OutOfMemory) {
    self.init(group: group, stretched: try Self.stretch(passphrase, of: group))
  }

  /// Derives the keys from a name and the root that ``stretch(_:of:)`` gave.
  public init(group: String, stretched root: SecretKey) {
    Library.prepare()
    // The salt is another digest than the tag, so that the one on the wire does not show it.
    let tagDigest = Self.digest(Array(group.utf8), domain: "recorder group tag", count: 8)
    self.init(root: root, tag: Self.number(tagDigest))
  }

  /// The root of a group's keys, from its passphrase: the costly step of
  /// ``init(group:passphrase:)``, for whoever keeps the outcome.
  public static func stretch(
    _ passphrase: String, of group: String
  ) throws(OutOfMemory) -> SecretKey {
    Library.prepare()
    let name = Array(group.utf8)
    let salt = Self.digest(
      name, domain: "recorder group salt", count: Int(crypto_pwhash_SALTBYTES))
    var root = [UInt8](repeating: 0, count: SecretKey.length)
    let secret = Array(passphrase.utf8).map(CChar.init(bitPattern:))
    let status = unsafe crypto_pwhash(
      &root, UInt64(root.count), secret, UInt64(secret.count), salt, 2, 67_108_864,
      Int32(crypto_pwhash_ALG_ARGON2ID13))
    guard status == 0 else { throw OutOfMemory() }
    return SecretKey(derived: root)
  }

  /// Derives the keys from one that is random already; the tag follows from it too.
  public init(root: SecretKey) {
    self.init(root: root, tag: Self.number(root.digest(Array("tag".utf8))))
  }

  private init(root: SecretKey, tag: UInt64) {
    datagram = root.subkey(for: "datagram")
    connection = root.subkey(for: "connection")
    self.tag = tag
  }

  /// BLAKE2b of `bytes`, keyed with `domain`; the digest of 16 bytes that libsodium has at least
  /// is cut to `count`.
  private static func digest(_ bytes: [UInt8], domain: String, count: Int) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: max(count, Int(crypto_generichash_BYTES_MIN)))
    let domain = Array(domain.utf8)
    let status = unsafe crypto_generichash(
      &output, output.count, bytes, UInt64(bytes.count), domain, domain.count)
    precondition(status == 0, "BLAKE2b takes a name and a domain")
    return Array(output.prefix(count))
  }

  private static func number(_ digest: [UInt8]) -> UInt64 {
    digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
