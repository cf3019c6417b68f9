internal import CSodium

/// A SHA-256 digest (FIPS 180-4) taken piece by piece.
public struct SHA256: Sendable {
  private var state = crypto_hash_sha256_state()

  /// Begins a digest of nothing.
  public init() {
    Library.prepare()
    unsafe crypto_hash_sha256_init(&state)
  }

  /// Goes on with `bytes`.
  public mutating func update(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      _ = unsafe crypto_hash_sha256_update(&state, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  /// The digest of all that was given so far, as 64 hexadecimal digits.
  public func hexDigest() -> String {
    var copy = state
    var output = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    unsafe crypto_hash_sha256_final(&copy, &output)
    return output.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
