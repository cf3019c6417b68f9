internal import CSodium

/// A key of 32 bytes. It does not describe itself, so that no log can show it.
public struct SecretKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The number of bytes of every key.
  public static let length = 32

  /// The key itself, for whoever keeps it where only its owner can read.
  public let bytes: [UInt8]

  public var description: String { "a secret key" }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Makes a key of `bytes`, or nothing unless they are 32.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    Library.prepare()
    self.bytes = bytes
  }

  init(derived bytes: [UInt8]) {
    precondition(bytes.count == Self.length, "a derived key has 32 bytes")
    Library.prepare()
    self.bytes = bytes
  }

  /// A key for `purpose` that tells nothing of this one: BLAKE2b keyed with this key, over the
  /// purpose and `context`.
  public func subkey(for purpose: String, context: [UInt8] = []) -> SecretKey {
    SecretKey(derived: digest(Array(purpose.utf8) + [0] + context))
  }

  func digest(_ input: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: Self.length)
    let status = unsafe crypto_generichash(
      &output, output.count, input, UInt64(input.count), bytes, bytes.count)
    precondition(status == 0, "BLAKE2b takes a key and an output of 32 bytes")
    return output
  }
}
