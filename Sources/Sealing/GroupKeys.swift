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
    let name = Array(group.utf8)
    var salt = [UInt8](repeating: 0, count: Int(crypto_pwhash_SALTBYTES))
    let domain = Array("recorder group salt".utf8)
    let hashed = unsafe crypto_generichash(
      &salt, salt.count, name, UInt64(name.count), domain, domain.count)
    precondition(hashed == 0, "BLAKE2b gives 16 bytes")
    var root = [UInt8](repeating: 0, count: SecretKey.length)
    let secret = Array(passphrase.utf8).map(CChar.init(bitPattern:))
    let status = unsafe crypto_pwhash(
      &root, UInt64(root.count), secret, UInt64(secret.count), salt, 2, 67_108_864,
      Int32(crypto_pwhash_ALG_ARGON2ID13))
    guard status == 0 else { throw OutOfMemory() }
    self.init(root: SecretKey(derived: root))
  }

  /// Derives the keys from one that is random already.
  public init(root: SecretKey) {
    datagram = root.subkey(for: "datagram")
    connection = root.subkey(for: "connection")
    tag = root.digest(Array("tag".utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
